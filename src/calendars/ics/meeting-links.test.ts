import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { parseGoogleMeetLink } from '../../bots/platforms/google-meet/meeting-link.ts'
import { parseMicrosoftTeamsLink } from '../../bots/platforms/microsoft-teams/meeting-link.ts'
import { parsePracticeLink } from '../../bots/platforms/practice/meeting-link.ts'
import { collectLinks, findMeetingLink } from './links.ts'

const CODE = 'abc-defg-hij'
const MEET = `https://meet.google.com/${CODE}`
const NICKNAME = 'https://meet.google.com/our-team-standup'
const NUMBER = '2512345678901'
const TEAMS = `https://teams.microsoft.com/meet/${NUMBER}?p=Xy7Zq9b`
const TEAMS_LIVE = 'https://teams.live.com/meet/9312345678901?p=Ab3dEf9'
const TEAMS_CLOUD = `https://teams.cloud.microsoft/meet/${NUMBER}?p=Xy7Zq9b`
const TEAMS_GOV = `https://gov.teams.microsoft.us/meet/${NUMBER}?p=Xy7Zq9b`
const TEAMS_DOD = `https://dod.teams.microsoft.us/meet/${NUMBER}?p=Xy7Zq9b`
const [TENANT, ORGANIZER] = [
  '11111111-2222-4333-8444-555566667777',
  '88888888-9999-4aaa-8bbb-ccccddddeeee',
]
const THREAD = '19:meeting_TmV3IHdvcmxkIHN5bXBob255@thread.v2'
const JSON_CONTEXT = `{"Tid":"${TENANT}","Oid":"${ORGANIZER}"}`
const CLASSIC = `https://teams.microsoft.com/l/meetup-join/${encodeURIComponent(THREAD)}/0?context=${encodeURIComponent(JSON_CONTEXT)}`
const RAW_CLASSIC = `https://teams.microsoft.com/l/meetup-join/${THREAD}/0?context=${JSON_CONTEXT}`
const HALF_RAW_CLASSIC = `https://teams.microsoft.com/l/meetup-join/${encodeURIComponent(THREAD)}/0?context=${JSON_CONTEXT}`
const PRACTICE = 'practice://standup?speed=10'

const encode = encodeURIComponent
const base64 = (text: string) => Buffer.from(text).toString('base64')
const safe = (host: string, link: string) =>
  `https://${host}/?url=${encode(link)}&data=05%7C02%7Cada%40example.com%7C0&sdata=x%3D&reserved=0`
const google = (host: string, link: string) =>
  `https://${host}/url?q=${encode(link)}&sa=D&source=calendar&usg=AOvVaw0`
const cisco = (link: string) => `https://secure-web.cisco.com/1S1h_Cy8Q-Oh5N7AuDE0CgXvA/${link}`
const symantec = (link: string) =>
  `https://clicktime.symantec.com/15xVcHh2qpEgPv5?h=QCYVz=&u=${link}`
const fireEye = (path: string, link: string) =>
  `https://protect2.fireeye.com${path}?k=84f6a8c0-e57dbdd9&q=1&e=6739af06-730c&u=${link}`
const trend = (host: string, link: string) =>
  `https://${host}/wis/clicktime/v1/query?url=${encode(link)}&umid=2F305B77&auth=53c7c7de`
const sophos = (host: string, link: string) =>
  `https://${host}?d=google.com&u=${base64(link)}&i=NWY1NzY4&t=QkNXVHhu&h=71f32803&s=AVNPUEh`
const avanan = (start: string, link: string) =>
  `https://url.avanan.click/v2/${start}___${link}___.YXAzOmV4YW1wbGU6YTpn`
const teamsPage = (version: number, link: string) =>
  `https://statics.teams.cdn.office.net/evergreen-assets/safelinks/${version}/atp-safelinks.html?url=${encode(link)}&locale=en-us&dest=x`

/** Marks after which a text can continue without a space. */
const MARKS = [
  '!',
  ':',
  '|',
  '*',
  '}',
  '~',
  ',',
  ';',
  ')',
  ']',
  '>',
  '"',
  "'",
  '`',
  '—',
  '…',
  '“',
  '”',
]
const EAST_ASIAN_MARKS = ['。', '、', '）', '】', '」', '，', '！', '：', '；', '？', '》']

/** Texts of an invitation, and the link that a bot uses; null if there is none. */
const TEXTS: ReadonlyArray<[text: string, link: string | null]> = [
  // Plain links
  [MEET, MEET],
  [`Join: ${MEET}`, MEET],
  [`Video call link: ${MEET}\nOr dial: +49 30 1234567 PIN: 123 456 789#`, MEET],
  [`meet.google.com/${CODE}`, MEET],
  [`Room 3 or meet.google.com/${CODE}.`, MEET],
  [`(meet.google.com/${CODE})`, MEET],
  [`${MEET}?authuser=0`, MEET],
  [`${MEET}?hs=122&authuser=1`, MEET],
  [`${MEET}&authuser=0`, MEET],
  [`${MEET}&authuser=0&pli=1`, MEET],
  [`${MEET}/&authuser=2`, MEET],
  [`HTTPS://MEET.GOOGLE.COM/ABC-DEFG-HIJ`, MEET],
  [NICKNAME, NICKNAME],
  [`${NICKNAME}. See you!`, NICKNAME],
  [TEAMS, TEAMS],
  [`Join the meeting now <${TEAMS}>`, TEAMS],
  [`teams.microsoft.com/meet/${NUMBER}?p=Xy7Zq9b`, TEAMS],
  [`emea.teams.microsoft.com/meet/${NUMBER}?p=Xy7Zq9b`, TEAMS],
  [TEAMS_LIVE, TEAMS_LIVE],
  ['teams.live.com/meet/9312345678901?p=Ab3dEf9', TEAMS_LIVE],
  [TEAMS_CLOUD, TEAMS_CLOUD],
  [`teams.cloud.microsoft/meet/${NUMBER}?p=Xy7Zq9b`, TEAMS_CLOUD],
  [TEAMS_GOV, TEAMS_GOV],
  [`gov.teams.microsoft.us/meet/${NUMBER}?p=Xy7Zq9b`, TEAMS_GOV],
  [`Join at dod.teams.microsoft.us/meet/${NUMBER}?p=Xy7Zq9b now`, TEAMS_DOD],
  [CLASSIC, CLASSIC],
  [CLASSIC.slice('https://'.length), CLASSIC],
  [RAW_CLASSIC, CLASSIC],
  [HALF_RAW_CLASSIC, CLASSIC],
  [`Click ${RAW_CLASSIC} to join`, CLASSIC],
  [`<${RAW_CLASSIC}>`, CLASSIC],
  [`(${HALF_RAW_CLASSIC}).`, CLASSIC],
  [`<a href='${RAW_CLASSIC}'>Join</a>`, CLASSIC],
  [`<a href="${RAW_CLASSIC.replaceAll('"', '&quot;')}">Join</a>`, CLASSIC],
  [RAW_CLASSIC.replaceAll(':"', ': "').replaceAll(',"', ', "'), CLASSIC],
  [`${RAW_CLASSIC}!`, CLASSIC],
  [`${RAW_CLASSIC}&anon=true`, CLASSIC],
  [PRACTICE, PRACTICE],
  [`Today ${PRACTICE}, tomorrow not`, PRACTICE],

  // Marks directly after a link, with and without text
  ...MARKS.flatMap((mark): Array<[string, string]> => [
    [`Join ${MEET}${mark}`, MEET],
    [`Join ${MEET}${mark}Passcode`, MEET],
  ]),
  ...EAST_ASIAN_MARKS.map((mark): [string, string] => [`会议 ${MEET}${mark}谢谢`, MEET]),
  ...['!', ':', '|', '}', '~', ';', '—', '。'].map((mark): [string, string] => [
    `${TEAMS}${mark}Passcode`,
    TEAMS,
  ]),
  ...['!', '}', ')', '—', '）'].map((mark): [string, string] => [`${CLASSIC}${mark}`, CLASSIC]),
  [`${MEET}_`, MEET],
  [`${MEET}__ Passcode`, MEET],
  [`${TEAMS}_`, TEAMS],
  [`${CLASSIC}_`, CLASSIC],
  [`Is it ${TEAMS}?`, TEAMS],
  [`Is it ${CLASSIC}? Yes`, CLASSIC],
  [`${TEAMS}/`, TEAMS],
  [`${MEET}).`, MEET],
  [`${MEET}...`, MEET],
  [`${MEET},${TEAMS}`, MEET],
  [`${MEET}; ${TEAMS}`, MEET],
  [`${MEET},Dial-in:+1 555 0100`, MEET],

  // Text in other scripts around a link
  [`${MEET}会議に参加`, MEET],
  [`参加${MEET}参加`, MEET],
  [`会议链接：${MEET}`, MEET],
  [`参加meet.google.com/${CODE}会議`, MEET],
  [`「${MEET}」`, MEET],
  [`（${MEET}）`, MEET],
  [`${MEET}에서 만나요`, MEET],
  [`${MEET}เข้าร่วม`, MEET],
  [`${TEAMS}ここから`, TEAMS],
  [`${CLASSIC}点击加入`, CLASSIC],
  [`\u202a${MEET}\u202c`, MEET],
  [`${MEET}\u200b`, MEET],

  // Markdown, HTML, chats
  [`[${MEET}](${MEET})`, MEET],
  [`[${TEAMS}](${TEAMS})`, TEAMS],
  [`[${CLASSIC}](${CLASSIC})`, CLASSIC],
  [`[Join](${MEET})`, MEET],
  [`[Join](${MEET} "Meeting")`, MEET],
  [`<${MEET}|Join>`, MEET],
  [`<${TEAMS}|Join the call>`, TEAMS],
  [`<${CLASSIC}|Join>`, CLASSIC],
  [`*${MEET}*`, MEET],
  [`**${TEAMS}**`, TEAMS],
  [`_${TEAMS}_`, TEAMS],
  [`*_${TEAMS}_*`, TEAMS],
  [`__${TEAMS}__`, TEAMS],
  [`~~${MEET}~~`, MEET],
  [`_meet.google.com/${CODE}_`, MEET],
  [`{${MEET}}`, MEET],
  [`|${MEET}|`, MEET],
  [`| Link | ${MEET}|`, MEET],
  [`“${MEET}”`, MEET],
  [`«${MEET}»`, MEET],
  [`<a href="${MEET}?a=1&amp;b=2">Join</a>`, MEET],
  [`<p>${MEET}<br>Bye</p>`, MEET],
  [`${MEET}&nbsp;Bye`, MEET],
  [`${MEET}&mdash;Bye`, MEET],
  [`${MEET}&#8212;Bye`, MEET],

  // Redirects of Google
  [google('www.google.com', MEET), MEET],
  [google('google.com', TEAMS), TEAMS],
  [google('www.google.de', MEET), MEET],
  [google('google.de', CLASSIC), CLASSIC],
  [google('www.google.co.uk', MEET), MEET],
  [google('www.google.com.au', TEAMS), TEAMS],
  [google('plus.url.google.com', MEET), MEET],
  [`https://www.google.ch/url?sa=t&url=${encode(MEET)}`, MEET],
  [`<a href="${google('www.google.fr', CLASSIC).replaceAll('&', '&amp;')}">x</a>`, CLASSIC],

  // SafeLinks
  [safe('eur01.safelinks.protection.outlook.com', MEET), MEET],
  [safe('nam12.safelinks.protection.outlook.com', CLASSIC), CLASSIC],
  [safe('usg02.safelinks.protection.office365.us', TEAMS_GOV), TEAMS_GOV],
  [safe('gcc02.safelinks.protection.office365.us', MEET), MEET],
  [`${safe('eur01.safelinks.protection.outlook.com', TEAMS)}!`, TEAMS],
  [`${safe('eur01.safelinks.protection.outlook.com', TEAMS)}。`, TEAMS],
  [teamsPage(1, MEET), MEET],
  [teamsPage(2, TEAMS), TEAMS],
  [teamsPage(1, CLASSIC), CLASSIC],
  [safe('eur01.safelinks.protection.outlook.com', google('www.google.de', MEET)), MEET],

  // Other mail filters
  [cisco(MEET), MEET],
  [cisco(TEAMS), TEAMS],
  [cisco(encode(MEET)), MEET],
  [cisco(encode(CLASSIC)), CLASSIC],
  [cisco(CLASSIC), CLASSIC],
  [symantec(encode(MEET)), MEET],
  [symantec(encode(CLASSIC)), CLASSIC],
  [symantec(`https://teams.microsoft.com/meet/${NUMBER}?p%3DXy7Zq9b`), TEAMS],
  [`https://clicktime.symantec.com/3MnsciFmpCx2GTRRtjm?u=${encode(TEAMS)}`, TEAMS],
  [fireEye('/v1/url', encode(MEET)), MEET],
  [fireEye('/v1/url', encode(CLASSIC)), CLASSIC],
  [fireEye('/url', MEET), MEET],
  [trend('ddec1-0-en-ctp.trendmicro.com', MEET), MEET],
  [trend('ddec1-0-en-ctp.trendmicro.com:443', TEAMS), TEAMS],
  [trend('smex-ctp.trendmicro.com', CLASSIC), CLASSIC],
  [trend('ddei5-0-ctp.trendmicro.com:443', MEET), MEET],
  [trend('cas5-0-urlprotect.trendmicro.com:443', TEAMS), TEAMS],
  [trend('cas5-0-urlprotect.trendmicro.com', CLASSIC), CLASSIC],
  [sophos('eu-central-1.protection.sophos.com', MEET), MEET],
  [sophos('us-west-2.protection.sophos.com/', CLASSIC), CLASSIC],
  [sophos('eu-west-1.protection.sophos.com', encode(TEAMS)), TEAMS],
  [avanan('', MEET), MEET],
  [avanan('r01/', TEAMS), TEAMS],
  [avanan('r01/', MEET.replace('//', '/')), MEET],
  [avanan('', CLASSIC), CLASSIC],
  [`https://avanan.url-protection.com/v1/url?o=${encode(MEET)}&g=OGY5&s=NDJk`, MEET],
  [`https://protect.checkpoint.com/v2/___${MEET}___.YzJ1OmV4YW1wbGU`, MEET],
  [`https://linkprotect.cudasvc.com/url?a=${encode(MEET)}&c=E,1,x&typo=1`, MEET],
  [`https://urldefense.com/v3/__${MEET}__;!!Abc!def$`, MEET],

  // Look-alikes, and links that lead elsewhere
  ...[
    `https://meet.google.com.evil.example/${CODE}`,
    `https://meet-google.com/${CODE}`,
    `https://evilmeet.google.com.example/${CODE}`,
    `https://meet.google.com@evil.example/${CODE}`,
    `https://meet.google.com:8443/${CODE}`,
    `https://meet.google.com,evil.example/${CODE}`,
    `https://meet.google.com;evil.example/${CODE}`,
    `https://evil.example/meet.google.com/${CODE}`,
    `https://evil.example/?to=meet.google.com/${CODE}`,
    `https://evil.example#meet.google.com/${CODE}`,
    `https://mеet.google.com/${CODE}`,
    `https://meet.gооgle.com/${CODE}`,
    `https://meet。google。com/${CODE}`,
    `https://ｍｅｅｔ.google.com/${CODE}`,
    `https://meet.google.com/ａｂｃ-defg-hij`,
    `https://meet.google.com/аbc-defg-hij`,
    `https://meet.google.com/${CODE}é`,
    `https://meet.google.com/robots.txt`,
    `https://meet.google.com/sales_standup`,
    `https://meet.google.com/lookup/${CODE}`,
    `ada@meet.google.com/${CODE}`,
    `evil-meet.google.com/${CODE}`,
    `evil_meet.google.com/${CODE}`,
    `evil.meet.google.com/${CODE}`,
    `ftp://meet.google.com/${CODE}`,
    CODE,
    `https://teams.microsoft.com.evil.example/meet/${NUMBER}?p=a`,
    `https://teams.microsoft.us/meet/${NUMBER}`,
    `teams.microsoft.us/meet/${NUMBER}`,
    `a.b.teams.microsoft.us/meet/${NUMBER}`,
    `https://teams.cloud.microsoft.evil.example/meet/${NUMBER}`,
    `teams.cloud.microsoft.evil.example/meet/${NUMBER}`,
    `evilteams.cloud.microsoft/meet/${NUMBER}`,
    `https://teams.microsoft.com/l/channel/${encode(THREAD)}/General`,
    `https://teams.microsoft.com/l/meetup-join/${THREAD}/0?context={"Tid":"x"}`,
    google('www.google.de', 'https://evil.example/x'),
    google('www.google.evil', MEET),
    google('www.google.de.evil.example', MEET),
    google('mygoogle.de', MEET),
    `https://www.google.de/search?q=${encode(MEET)}`,
    safe('usg02.safelinks.protection.office365.us.evil.example', MEET),
    safe('safelinks.protection.office365.us', MEET),
    safe('xsafelinks.protection.office365.us', MEET),
    `https://statics.teams.cdn.office.net/other.html?url=${encode(MEET)}`,
    `https://statics.teams.cdn.office.net.evil.example/evergreen-assets/safelinks/1/atp-safelinks.html?url=${encode(MEET)}`,
    cisco('https://evil.example/x'),
    cisco(MEET).replace('cisco.com', 'cisco.com.evil.example'),
    cisco(MEET).replace('secure-web', 'insecure-web'),
    symantec(encode(MEET)).replace('symantec.com', 'symantec.com.evil.example'),
    symantec(encode('https://evil.example/x')),
    fireEye('/v1/url', encode(MEET)).replace('fireeye', 'fireeyes'),
    fireEye('/other', encode(MEET)),
    trend('ctp.trendmicro.com.evil.example', MEET),
    trend('x-urlprotect.trendmicro.com.evil.example', MEET),
    trend('evilurlprotect.trendmicro.com', MEET),
    trend('x-ctp.trendmicro.com:8443', MEET),
    sophos('protection.sophos.com', MEET),
    sophos('eu-west-1.protection.sophos.com.evil.example', MEET),
    sophos('eu-west-1.protection.sophos.com', 'https://evil.example/x'),
    avanan('', 'https://evil.example/x'),
    avanan('', MEET).replace('avanan.click', 'avanan.click.evil.example'),
    `https://url.avanan.click/v2/${MEET}`,
  ].map((text): [string, null] => [text, null]),
]

function findUrl(text: string): string | null {
  const parse = (link: string) =>
    parseGoogleMeetLink(link) ?? parseMicrosoftTeamsLink(link) ?? parsePracticeLink(link)
  return findMeetingLink(collectLinks([text]), parse)?.url ?? null
}

test('the meeting link of a text is found whatever is around it, and look-alikes are not', () => {
  assert.ok(TEXTS.length >= 150, `only ${TEXTS.length} texts`)
  const wrong = TEXTS.map(([text, link]) => ({ text, link, found: findUrl(text) }))
  assert.deepEqual(
    wrong.filter(({ link, found }) => link !== found),
    [],
  )
})
