import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import {
  renderGuestRecapMail,
  renderRecapMail,
  type MailedRecap,
} from '../../src/mail/recap-mail/recap-message.ts'
import type { Brief } from '../../src/brief/brief.ts'
import { renderBriefMail } from '../../src/mail/brief/brief-mail.ts'
import { renderDigestMail } from '../../src/mail/digest/digest-mail.ts'
import type { PersonDigest } from '../../src/mail/digest/person-digest.ts'
import { saveScreenshots } from '../support/browser/screenshots.ts'
import { openSharedBrowser } from '../support/browser/shared-browser.ts'

const LONG = 'A very long sentence about the plan for the next release of the search page. '.repeat(
  4,
)
const HOSTILE = '<img src=x onerror=alert(1)></td></table><script>alert(2)</script>'

const MAILED: MailedRecap = {
  meetingId: 'meeting_1763195400000_k3v9x0q2m4za',
  title: `Planning of the winter release ${HOSTILE}`,
  startedAt: new Date('2026-11-18T09:00:00Z'),
  timeZone: 'Europe/Berlin',
  times: new Map([
    [1, '0:12'],
    [2, '12:04'],
  ]),
  recap: {
    sections: ['summary', 'decisions', 'actions', 'openQuestions', 'topics'],
    writtenLanguage: 'en',
    summary: [
      { id: 'a', text: LONG, speaker: null, segmentNumbers: [1, 2], editedAt: null },
      { id: 'b', text: 'شكرا على الاجتماع', speaker: null, segmentNumbers: [], editedAt: null },
    ],
    decisions: [
      {
        id: 'c',
        text: `We ship on Friday. ${HOSTILE}`,
        speaker: 'Ada',
        reason: 'Customers wait',
        segmentNumbers: [1],
        editedAt: null,
      },
    ],
    actions: [
      {
        id: 'd',
        meetingId: 'meeting_1763195400000_k3v9x0q2m4za',
        number: 1,
        createdAt: new Date('2026-11-18T10:00:00Z'),
        text: `Fix ${'averyveryverylongword'.repeat(12)}`,
        owner: `Ben ${HOSTILE}`,
        dueText: 'Wednesday',
        dueDate: '2026-11-25',
        state: 'open',
        source: 'rules',
        segmentNumbers: [2],
        editedAt: null,
      },
    ],
    openQuestions: [
      {
        id: 'e',
        text: 'Who tells the customers?',
        speaker: 'Ada',
        segmentNumbers: [2],
        editedAt: null,
      },
    ],
  },
}

const LINKS = {
  publicUrl: 'https://hansard.example.com',
  unsubscribeUrl: `https://hansard.example.com/unsubscribe/${'a'.repeat(80)}`,
}

const item = { meetingId: 'meeting_1', meetingTitle: `Planning ${HOSTILE}`, line: 4 }
const DIGEST: PersonDigest = {
  schedule: { frequency: 'daily', weekday: 'monday', hour: 8, timeZone: 'Europe/Berlin' },
  period: {
    day: '2026-11-19',
    from: new Date('2026-11-18T07:00:00Z'),
    to: new Date('2026-11-19T07:00:00Z'),
  },
  counts: '2 meetings, 1 decision, 2 action items for you',
  sections: [
    {
      heading: 'Your action items',
      items: [
        { ...item, text: `Send the offer ${HOSTILE}`, notes: ['due today'] },
        { ...item, text: LONG, notes: ['overdue since 17 November 2026'] },
      ],
      others: 3,
    },
    {
      heading: 'Meetings',
      items: [
        {
          meetingId: 'meeting_1',
          meetingTitle: null,
          line: null,
          text: 'Planning of the winter release',
          notes: ['Wed 18 November at 10:00', '1 decision, 2 actions: We ship on Friday'],
        },
        {
          meetingId: 'meeting_2',
          meetingTitle: null,
          line: null,
          text: 'x'.repeat(120),
          notes: ['Wed 18 November at 15:00'],
        },
      ],
      others: 0,
    },
    { heading: 'Decisions', items: [{ ...item, text: 'شكرا', notes: ['Ada'] }], others: 0 },
    {
      heading: 'Action items of others',
      items: [{ ...item, text: 'Call the bank', notes: ['Ben', 'due 20 November 2026'] }],
      others: 0,
    },
  ],
}

const cited = { meetingId: 'meeting_1', segmentNumbers: [4] }
const BRIEF: Brief = {
  upcoming: {
    id: 'occ_1',
    meetingId: null,
    title: `Weekly ${HOSTILE}`,
    startsAt: new Date('2026-11-19T09:00:00Z'),
    endsAt: null,
    project: 'api',
    platform: 'practice',
    isPlanned: true,
    people: [
      { name: 'Ada', address: 'ada@example.com' },
      { name: null, address: 'ben@example.com' },
    ],
  },
  meetings: [
    {
      meetingId: 'meeting_1',
      title: `Weekly ${HOSTILE}`,
      project: 'api',
      startedAt: new Date('2026-11-12T09:00:00Z'),
      relation: 'series',
      gist: '1 decision, 2 actions: We ship on Friday',
    },
  ],
  decisions: [{ ...cited, text: 'We ship on Friday', person: 'Ben', dueDate: null }],
  actions: [{ ...cited, text: `Send the offer ${HOSTILE}`, person: 'Ada', dueDate: '2026-11-20' }],
  openQuestions: [{ ...cited, text: LONG, person: null, dueDate: null }],
  documents: [],
}

const MAILS = {
  'recap-mail': renderRecapMail(MAILED, LINKS),
  'digest-mail': renderDigestMail(DIGEST, LINKS),
  'brief-mail': renderBriefMail(BRIEF, { ...LINKS, timeZone: 'Europe/Berlin' }),
}

test('a mail is readable at the width of a phone, loads nothing and runs nothing', async () => {
  const browser = await openSharedBrowser()
  const cases = Object.entries(MAILS).flatMap(([name, { html }]) =>
    [390, 640].map((width) => ({ name, html, width })),
  )
  for (const { name, html, width } of cases) {
    await using context = await browser.newContext({ viewport: { width, height: 900 } })
    const page = await context.newPage()
    const requests: string[] = []
    const dialogs: string[] = []
    page.on('request', (request) => void requests.push(request.url()))
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.message())
      void dialog.dismiss()
    })
    await page.setContent(html)
    assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true)
    assert.equal(await page.locator('img, script').count(), 0)
    assert.equal(await page.locator('h2').count(), 4)
    assert.deepEqual([requests, dialogs], [[], []])
    await saveScreenshots(page, `${name}-${width}`)
  }
})

test('the text of a digest has one line for each item, and its links', () => {
  const { text, subject } = renderDigestMail(DIGEST, LINKS)
  assert.equal(subject, 'Daily digest: 2 meetings, 1 decision, 2 action items for you')
  assert.match(
    text,
    /\n\nMEETINGS\n\n- Planning of the winter release \(Wed .*\)\n {2}Open the meeting: https:.*meeting_1\n/,
  )
  assert.match(text, /Wednesday 18 November at 08:00 to Thursday 19 November at 08:00/)
  assert.ok(text.endsWith(`Get no digest by mail: ${LINKS.unsubscribeUrl}\n`))
})

test('the text of a recap mail has one line for each statement, and its links', () => {
  const { text, subject } = renderRecapMail(MAILED, LINKS)
  assert.doesNotMatch(subject, /[\r\n]/)
  assert.match(
    text,
    /\n\nDECISIONS\n\n- We ship on Friday\..* \(Reason: Customers wait\)\n {2}0:12: https:/,
  )
  assert.match(text, /\(Ben .*, due 25 November 2026\)/)
  assert.ok(text.endsWith(`Get no recaps by mail: ${LINKS.unsubscribeUrl}\n`))
})

test('headings, sentences, dates and the subject are in the language of the recap, and in English without its texts', () => {
  const render = (writtenLanguage: string | null) =>
    renderRecapMail(
      { ...MAILED, title: 'Plan', recap: { ...MAILED.recap, writtenLanguage } },
      LINKS,
    )
  const german = render('de-AT')
  assert.equal(german.subject, 'Zusammenfassung: Plan')
  assert.match(german.html, /<html lang="de" dir="ltr">[\s\S]*Mittwoch, 18\. November 2026/)
  assert.match(german.html, /<ul lang="de-AT" dir="auto"/)
  assert.match(
    german.text,
    /ENTSCHEIDUNGEN[\s\S]*\(Grund: Customers wait\)[\s\S]*fällig: 25\. November 2026/,
  )
  const arabic = render('ar')
  assert.equal(arabic.subject, 'Recap: Plan')
  assert.match(arabic.html, /<html lang="en" dir="ltr">[\s\S]*<ul lang="ar" dir="auto"/)
  assert.match(render(null).html, /<ul dir="auto"/)
  assert.equal(render('constructor').subject, 'Recap: Plan')
})

test('the mail to a guest leads only to the share link and shows no email address', () => {
  const [action] = MAILED.recap.actions
  assert.ok(action)
  const actions = [{ ...action, owner: 'ben@example.com' }]
  const mailed = { ...MAILED, title: 'Plan', recap: { ...MAILED.recap, actions } }
  const unsubscribeUrl = LINKS.unsubscribeUrl
  const shareUrl = `https://hansard.example.com/s/${'a'.repeat(43)}`
  const expiresAt = new Date('2026-12-02T23:30:00Z')
  const { html, text } = renderGuestRecapMail(mailed, { shareUrl, unsubscribeUrl, expiresAt })
  const links = [...html.matchAll(/href="([^"]+)"/g)].map(([, url = '']) => url)
  assert.ok(links.every((url) => url.startsWith(shareUrl) || url === unsubscribeUrl))
  assert.ok(links.includes(`${shareUrl}#s2`))
  assert.match(text, /\(ben, due/)
  assert.doesNotMatch(html, /ben@/)
  // In the time zone of the meeting it is already the next day.
  assert.match(html, /works until 3 December 2026/)
})
