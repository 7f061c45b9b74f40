import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { parseMicrosoftTeamsLink } from './meeting-link.ts'
import { scaleRuns } from '../../../../test/support/test-size.ts'

const TENANT = '72f988bf-86f1-41af-91ab-2d7cd011db47'
const ORGANIZER = '0b3c2f1e-1111-4222-8333-444455556666'
const THREAD = '19:meeting_MjdhNjM4YzUtYzExZi00OTFkLTkzZTAtNTVlNmZmMDhkNGU2@thread.v2'
const PATH =
  '/l/meetup-join/19%3ameeting_MjdhNjM4YzUtYzExZi00OTFkLTkzZTAtNTVlNmZmMDhkNGU2%40thread.v2/0'
const CONTEXT = `%7b%22Tid%22%3a%22${TENANT}%22%2c%22Oid%22%3a%22${ORGANIZER}%22%7d`
const CLASSIC = `https://teams.microsoft.com${PATH}?context=${CONTEXT}`
const NUMBER = '2512345678901'
const PASSCODE = 'Xy7Zq_9-b'
const SHORT = `https://teams.microsoft.com/meet/${NUMBER}?p=${PASSCODE}`

function classicUrl(context: object, thread = THREAD, message = '0', host = 'teams.microsoft.com') {
  const encoded = encodeURIComponent(JSON.stringify(context))
  return `https://${host}/l/meetup-join/${encodeURIComponent(thread)}/${message}?context=${encoded}`
}

function launcher(inner: string): string {
  return `https://teams.microsoft.com/dl/launcher/launcher.html?url=${inner}&type=meetup-join&deeplinkId=${TENANT}&directDl=true&msLaunch=true&enableMobilePage=true&suppressPrompt=true`
}

function light(coords: object | string): string {
  const text = typeof coords === 'string' ? coords : JSON.stringify(coords)
  return `https://teams.microsoft.com/light-meetings/launch?agent=web&version=24&coords=${Buffer.from(text).toString('base64')}&deeplinkId=x`
}

const COORDS = {
  conversationId: THREAD,
  tenantId: TENANT,
  organizerId: ORGANIZER,
  messageId: '0',
}

test('every spelling of a classic Microsoft Teams link gives the same meeting', () => {
  const fragment = `${PATH}?context=${CONTEXT}`
  const encode = encodeURIComponent
  const given = [
    CLASSIC,
    `${CLASSIC}&anon=true`,
    `http://teams.microsoft.com${fragment}`,
    `teams.microsoft.com${fragment}`,
    `https://Teams.Microsoft.com${fragment}`,
    `https://emea.teams.microsoft.com${fragment}`,
    `<${CLASSIC}>`,
    `https://teams.microsoft.com/v2/?meetingjoin=true#${fragment}&anon=true`,
    `https://teams.microsoft.com/_#${fragment}`,
    `https://teams.microsoft.com/some/prefix${fragment}`,
    launcher(encode(`/_#${fragment}`)),
    launcher(encode(encode(`/_#${fragment}`))),
    launcher(encode(fragment)),
    launcher(`/_#${fragment}`),
    launcher(encode(`/v2/?meetingjoin=true#${fragment}&anon=true`)),
    light(COORDS),
    light({ ...COORDS, messageId: undefined }),
    light({ ...COORDS, messageId: 0 }),
    light(COORDS).replaceAll('=&', '&'),
    light(`${JSON.stringify(COORDS)} `).replaceAll('=&', '%3D&'),
    encode(CLASSIC),
    encode(encode(CLASSIC)),
    encode(encode(encode(CLASSIC))),
    `https://www.google.com/url?q=${encode(CLASSIC)}&sa=D&source=calendar`,
    `https://www.google.com/url?q=${CLASSIC}`,
    `https://eur01.safelinks.protection.outlook.com/ap/t-59584e83/?url=${encode(CLASSIC)}&data=05%7C02&reserved=0`,
    CLASSIC.replace(TENANT, TENANT.toUpperCase()),
    `https://teams.microsoft.com${PATH}?context={"Tid":"${TENANT}","Oid":"${ORGANIZER}"}`,
    `https://teams.microsoft.com${PATH}?context=%7B%22Tid%22:%20%22${TENANT}%22,%20%22Oid%22:%20%22${ORGANIZER}%22%7D`,
  ]
  for (const text of given) {
    assert.deepEqual(
      parseMicrosoftTeamsLink(text),
      {
        url: classicUrl({ Tid: TENANT, Oid: ORGANIZER }),
        room: THREAD,
        label: 'Microsoft Teams e86c90d1',
      },
      text,
    )
  }
})

test('a classic Microsoft Teams link without an organizer is valid', () => {
  for (const context of [{ Tid: TENANT }, { Tid: TENANT, Oid: '' }, { Tid: TENANT, Oid: null }]) {
    assert.equal(
      parseMicrosoftTeamsLink(classicUrl(context))?.url,
      classicUrl({ Tid: TENANT }),
      JSON.stringify(context),
    )
  }
})

test('two meetings of one Microsoft Teams channel are different meetings', () => {
  const thread = '19:3f4a5b6c7d8e4f00a1b2c3d4e5f60718@thread.tacv2'
  const [first, second] = ['1712345678901', '1712345678902'].map((message) =>
    parseMicrosoftTeamsLink(classicUrl({ Tid: TENANT }, thread, message)),
  )
  assert.equal(first?.room, `${thread}/1712345678901`)
  assert.equal(second?.room, `${thread}/1712345678902`)
  assert.notEqual(first?.label, second?.label)
  assert.equal(second?.url, classicUrl({ Tid: TENANT }, thread, '1712345678902'))
})

test('every spelling of a short Microsoft Teams link gives the same meeting', () => {
  const inner = `/meet/${NUMBER}?p=${PASSCODE}`
  const given = [
    SHORT,
    `${SHORT}&anon=true`,
    `teams.microsoft.com/meet/${NUMBER}/?p=${PASSCODE}`,
    `(${SHORT}).`,
    `https://teams.microsoft.com/v2/?meetingjoin=true#${inner}&anon=true&deeplinkId=${TENANT}`,
    launcher(`/_#${inner}&anon=true`),
    launcher(encodeURIComponent(`/_#${inner}&anon=true`)),
    `https://teams.microsoft.com/dl/launcher/launcher.html?type=meet&url=${encodeURIComponent(inner)}`,
    encodeURIComponent(SHORT),
    `https://www.google.com/url?q=${encodeURIComponent(SHORT)}`,
    `https://nam10.safelinks.protection.outlook.com/?url=${encodeURIComponent(SHORT)}&data=x`,
  ]
  for (const text of given) {
    assert.deepEqual(
      parseMicrosoftTeamsLink(text),
      {
        url: SHORT,
        room: `work/${NUMBER}`,
        label: `Microsoft Teams ${NUMBER}`,
        passcode: PASSCODE,
      },
      text,
    )
  }
})

test('a short Microsoft Teams link without a passcode gives a meeting without a passcode', () => {
  for (const tail of ['', '?p=', '?anon=true', '#p=x']) {
    assert.deepEqual(parseMicrosoftTeamsLink(`https://teams.microsoft.com/meet/${NUMBER}${tail}`), {
      url: `https://teams.microsoft.com/meet/${NUMBER}`,
      room: `work/${NUMBER}`,
      label: `Microsoft Teams ${NUMBER}`,
    })
  }
})

test('equal meeting numbers in different Microsoft Teams clouds are different meetings', () => {
  const cases = [
    ['teams.microsoft.com', 'teams.microsoft.com', 'work'],
    ['emea.teams.microsoft.com', 'teams.microsoft.com', 'work'],
    ['teams.cloud.microsoft', 'teams.cloud.microsoft', 'work'],
    ['teams.live.com', 'teams.live.com', 'live'],
    ['gov.teams.microsoft.us', 'gov.teams.microsoft.us', 'gov.teams.microsoft.us'],
    ['dod.teams.microsoft.us', 'dod.teams.microsoft.us', 'dod.teams.microsoft.us'],
    ['x.teams.microsoft.us', 'x.teams.microsoft.us', 'x.teams.microsoft.us'],
  ]
  for (const [given, host, realm] of cases) {
    const address = parseMicrosoftTeamsLink(`https://${given}/meet/9312345678?p=abc`)
    assert.equal(address?.url, `https://${host}/meet/9312345678?p=abc`)
    assert.equal(address?.room, `${realm}/9312345678`)
    assert.equal(
      parseMicrosoftTeamsLink(`https://${given}${PATH}?context=${CONTEXT}`)?.room,
      THREAD,
    )
  }
})

test('Microsoft Teams links to other pages are rejected', () => {
  const context = `?context=${CONTEXT}`
  const paths = [
    '',
    '/',
    '/meet',
    '/meet/',
    '/meet/123456789',
    '/meet/1234567890123456',
    '/meet/12345678a90',
    `/meet/${NUMBER}/extra`,
    `/meet/${NUMBER}?p=a%20b`,
    `/meet/${NUMBER}?p=%3Cscript%3E`,
    `/x/meet/${NUMBER}`,
    `/join/${NUMBER}`,
    `/l/channel/19%3aabc%40thread.tacv2/General?groupId=${TENANT}&tenantId=${TENANT}`,
    `/l/chat/19:abc@thread.v2/0${context}`,
    PATH,
    `${PATH}?context=`,
    `${PATH}?context=garbage`,
    `${PATH}?context=%7b%7d`,
    `${PATH}?context=null`,
    `${PATH}?context=%7b%22Tid%22%3a%22x%22%7d`,
    `${PATH}?context=%7b%22Oid%22%3a%22${ORGANIZER}%22%7d`,
    `${PATH}?context=%7b%22Tid%22%3a%22${TENANT}%22%2c%22Oid%22%3a%22x%22%7d`,
    `${PATH.slice(0, -2)}${context}`,
    `${PATH}/extra${context}`,
    `${PATH.replace('/0', '/abc')}${context}`,
    `/l/meetup-join/19:abc@evil/0${context}`,
    `/l/meetup-join/19:a%2f..%2fb@thread.v2/0${context}`,
    '/light-meetings/launch',
    '/light-meetings/launch?coords=garbage',
    light({ ...COORDS, tenantId: 'x' }).slice('https://teams.microsoft.com'.length),
    light({ ...COORDS, conversationId: 'https://evil.tld' }).slice(27),
    light({ ...COORDS, messageId: '../x' }).slice(27),
    light('[]').slice(27),
    `/dl/launcher/launcher.html?url=${encodeURIComponent('https://evil.tld/meet/2512345678901')}`,
    `/dl/launcher/launcher.html?url=${encodeURIComponent(SHORT)}`,
    `/evil.html?url=/meet/${NUMBER}`,
  ]
  for (const path of paths) {
    assert.equal(parseMicrosoftTeamsLink(`https://teams.microsoft.com${path}`), null, path)
  }
  assert.equal(parseMicrosoftTeamsLink(`https://teams.live.com/join/${NUMBER}`), null)
})

test('links that imitate Microsoft Teams are rejected', () => {
  const rest = `/meet/${NUMBER}?p=abc`
  const given = [
    `https://teams.microsoft.com.evil.tld${rest}`,
    `https://evilteams.microsoft.com${rest}`,
    `https://microsoft.com${rest}`,
    `https://teams.microsoft.us${rest}`,
    `https://xteams.microsoft.us${rest}`,
    `https://a.b.teams.microsoft.us${rest}`,
    `https://xn--a-0ga.teams.microsoft.us${rest}`,
    `https://x.teams.live.com${rest}`,
    `https://x.teams.cloud.microsoft${rest}`,
    `https://teams.live.com.evil.tld${rest}`,
    `https://teams.cloud.microsoft.evil.tld${rest}`,
    `https://.teams.microsoft.com${rest}`,
    `https://a..teams.microsoft.com${rest}`,
    `https://teams.microsoft.com.${rest}`,
    `https://evil.tld/?next=teams.microsoft.com${rest}`,
    `https://evil.tld/teams.microsoft.com${rest}`,
    `https://evil.tld#teams.microsoft.com${rest}`,
    `https://evil.tld/v2/#${rest}`,
    `https://evil.tld${PATH}?context=${CONTEXT}`,
    `https://teams.microsoft.com@evil.tld${rest}`,
    `https://teams.microsoft.com%40evil.tld${rest}`,
    `https://a:b@teams.microsoft.com${rest}`,
    `https://teams.microsoft.com:443${rest}`,
    `https://teams.microsoft.com:8443${rest}`,
    `https://teams.microsoft.com\\@evil.tld${rest}`,
    `https://evil.tld\\teams.microsoft.com${rest}`,
    `https://teams%2Emicrosoft%2Ecom${rest}`,
    `https://teams.microsoft.com%2Fmeet%2F${NUMBER}`,
    `https://tеams.microsoft.com${rest}`,
    `https://ｔｅａｍｓ.microsoft.com${rest}`,
    `https://xn--tams-8vd.microsoft.com${rest}`,
    `https://teams.micro\tsoft.com${rest}`,
    `https://teams.microsoft.com/meet/25123\n45678901`,
    `https://teams.microsoft.com/meet/${NUMBER}\0`,
    `https://teams.microsoft.com/meet/${NUMBER}?p=a\u202eb`,
    `https://teams.microsoft.com/meet/２５１２３４５６７８９０１`,
    `ftp://teams.microsoft.com${rest}`,
    `msteams://teams.microsoft.com${rest}`,
    `msteams:${rest}`,
    `javascript://teams.microsoft.com${rest}`,
    `practice://teams.microsoft.com${rest}`,
    'practice://standup',
    `//teams.microsoft.com${rest}`,
    `https:/teams.microsoft.com${rest}`,
    `${SHORT}&next=https://evil.tld`,
    `${SHORT}&next=https%3A%2F%2Fevil.tld`,
    `${SHORT}#https://evil.tld`,
    `${CLASSIC}&x=${encodeURIComponent(encodeURIComponent('https://evil.tld'))}`,
    `https://www.google.com/url?q=https://evil.tld${rest}`,
    `https://x.safelinks.protection.outlook.com.evil.tld/?url=${encodeURIComponent(SHORT)}`,
    NUMBER,
    THREAD,
    '',
  ]
  for (const text of given) assert.equal(parseMicrosoftTeamsLink(text), null, JSON.stringify(text))
})

test('a Microsoft Teams link that is encoded four times is rejected', () => {
  for (const link of [SHORT, CLASSIC]) {
    let text = link
    for (let round = 0; round < 4; round += 1) text = encodeURIComponent(text)
    assert.equal(parseMicrosoftTeamsLink(text), null)
  }
})

test('a very long text is rejected as a Microsoft Teams link', () => {
  for (const fill of ['a', '%25', ')', ' ', 'https://', '/l/meetup-join/', '&url=/', 'a.', '%7b']) {
    assert.equal(parseMicrosoftTeamsLink(`${SHORT}&x=${fill.repeat(65_536 / fill.length)}`), null)
    // The longest text that is still parsed must be fast too.
    parseMicrosoftTeamsLink(`https://teams.microsoft.com/${fill.repeat(8_192)}`.slice(0, 8_192))
    parseMicrosoftTeamsLink(`${launcher('/')}${fill.repeat(8_192)}`.slice(0, 8_192))
  }
})

const hosts = [
  'teams.microsoft.com',
  'teams.live.com',
  'teams.cloud.microsoft',
  'gov.teams.microsoft.us',
  'a.b.teams.microsoft.com',
]
const piece = fc.constantFrom(
  ...hosts,
  'https://',
  '/',
  `/meet/${NUMBER}`,
  '?p=',
  PASSCODE,
  PATH,
  `?context=${CONTEXT}`,
  '#',
  '/v2/',
  '/dl/launcher/launcher.html?url=',
  '%2F',
  '%253A',
  '@',
  ':443',
  '\\',
  '.evil.tld',
  'https://google.com/url?q=',
  '&',
  '"',
  '>',
  ' ',
  '.',
)
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join('')),
  fc
    .tuple(
      fc.constantFrom(...hosts),
      fc.constantFrom('', '/v2/#', '/_#', '/dl/launcher/launcher.html?url='),
      fc.constantFrom(`/meet/${NUMBER}`, `/meet/${NUMBER}?p=`, `${PATH}?context=${CONTEXT}`),
      fc.array(fc.oneof(piece, fc.string({ maxLength: 3 })), { maxLength: 3 }),
    )
    .map(([host, way, route, tail]) => `https://${host}${way}${route}${tail.join('')}`),
)

test('for any text Microsoft Teams returns null or a canonical link that parses to itself', () => {
  const numRuns = scaleRuns(20_000)
  let accepted = 0
  fc.assert(
    fc.property(text, (given) => {
      const address = parseMicrosoftTeamsLink(given)
      if (address === null) return
      accepted += 1
      const { protocol, host, hostname, username, password, port, hash, href } = new URL(
        address.url,
      )
      assert.ok(
        [...hosts.slice(0, 3), 'gov.teams.microsoft.us'].includes(hostname),
        `${given} led to ${address.url}`,
      )
      assert.deepEqual(
        { protocol, host, username, password, port, hash, href },
        {
          protocol: 'https:',
          host: hostname,
          username: '',
          password: '',
          port: '',
          hash: '',
          href: address.url,
        },
      )
      assert.deepEqual(parseMicrosoftTeamsLink(address.url), address)
    }),
    { seed: 20_260, numRuns },
  )
  assert.ok(accepted > numRuns / 40, `only ${accepted} accepted`)
})
