import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { formatMessage } from './formats.ts'
import { outlineMessage, toPlainMessage } from './message-outline.ts'
import {
  NOTIFICATION_FORMATS,
  NOTIFICATION_TOPICS,
  type NotificationMessage,
} from './notification.ts'
import { createSampleMessage } from './sample-message.ts'

const AT = new Date('2026-11-19T10:00:00.000Z')
const PUBLIC_URL = 'https://hansard.example.com'
const HOSTILE =
  '<!here> <@U1> <https://evil.test|safe> @channel @all *bold* `code` [x](https://evil.test) ![i](https://evil.test/i.png) :boom: #tag <b>html</b> & more \u202Edrawkcab'

function messageWith(text: string, count = 1): NotificationMessage {
  const item = {
    project: 'api',
    meetingTitle: text,
    segmentNumbers: [3],
    url: `${PUBLIC_URL}/meetings/m#line-3`,
    timestamp: AT.toISOString(),
  }
  const events = Array.from({ length: count }, (_, i) => ({
    type: 'action_created' as const,
    payload: {
      ...item,
      actionId: `a${i}`,
      text,
      owner: text,
      dueDate: null,
      state: 'open' as const,
    },
  }))
  return { project: text, title: text, path: '/meetings/m', events }
}
const bodyOf = (format: (typeof NOTIFICATION_FORMATS)[number], message: NotificationMessage) =>
  formatMessage(format, outlineMessage(message, PUBLIC_URL))

type SlackBody = { text: string; blocks: Array<{ text: { text: string; verbatim: boolean } }> }
type TeamsBlock = { type: string; inlines: Array<{ type: string; text: string }> }
type TeamsBody = {
  attachments: [{ contentType: string; content: { body: TeamsBlock[]; actions: object[] } }]
}

test('Slack gets no mention, link or formatting from what people said', () => {
  const { text, blocks } = JSON.parse(bodyOf('slack', messageWith(HOSTILE))) as SlackBody
  for (const part of [text, ...blocks.map((block) => block.text.text)]) {
    assert.doesNotMatch(part, /<[!@#]|<https:\/\/evil|<b>|\u202E/)
    // Only our own links have angle brackets.
    for (const [link] of part.matchAll(/<[^>]*>/g))
      assert.match(link, /^<https:\/\/hansard\.example/)
    assert.doesNotMatch(part, /(?<!\u200B)\*bold|(?<!\u200B)`code/)
  }
  assert.ok(blocks.every((block) => block.text.verbatim))
  assert.match(blocks[1]?.text.text ?? '', /&lt;!here&gt;.*&amp; more/)
})

test('Teams gets text runs, which have no Markdown, in an adaptive card', () => {
  const { attachments } = JSON.parse(bodyOf('teams', messageWith(HOSTILE))) as TeamsBody
  const [{ contentType, content }] = attachments
  assert.equal(contentType, 'application/vnd.microsoft.card.adaptive')
  assert.ok(content.body.every(({ type }) => type === 'RichTextBlock'))
  assert.ok(content.body.every(({ inlines }) => inlines.every(({ type }) => type === 'TextRun')))
  assert.deepEqual(content.actions, [
    { type: 'Action.OpenUrl', title: 'Open in Hansard', url: `${PUBLIC_URL}/meetings/m` },
  ])
})

test('Mattermost gets no mention, link, image or formatting from what people said', () => {
  const { text } = JSON.parse(bodyOf('mattermost', messageWith(HOSTILE))) as { text: string }
  assert.doesNotMatch(
    text,
    /@(?:channel|all|here)|https:\/\/evil|(?<!\\)[<`]|!\[|:boom|(?<!\\)#tag/,
  )
  const links = [...text.matchAll(/(?<!\\)\]\(([^)]*)\)/g)].map(([, url]) => url)
  assert.deepEqual(
    [...new Set(links)],
    [`${PUBLIC_URL}/meetings/m`, `${PUBLIC_URL}/meetings/m#line-3`],
  )
})

test('the longest messages stay within the limits of each chat', () => {
  for (const filler of ['<&>*_`', 'ä', '\u{1F600}', '"\\']) {
    const message = messageWith(filler.repeat(500), 100)
    const { blocks } = JSON.parse(bodyOf('slack', message)) as SlackBody
    assert.ok(blocks.length <= 50)
    for (const block of blocks) assert.ok(block.text.text.length <= 3_000)
    assert.ok(Buffer.byteLength(bodyOf('teams', message)) <= 28_000)
    const { text } = JSON.parse(bodyOf('mattermost', message)) as { text: string }
    assert.ok(text.length <= 16_383)
  }
})

test('a sample has the chosen topics in each format', () => {
  for (const format of NOTIFICATION_FORMATS) {
    const all = bodyOf(format, createSampleMessage('api', NOTIFICATION_TOPICS, AT, PUBLIC_URL))
    for (const word of ['Summary', 'Decisions', 'Action items', 'Update the price list'])
      assert.ok(all.includes(word), `${format}: ${word}`)
    const failure = bodyOf(format, createSampleMessage('api', ['failures'], AT, PUBLIC_URL))
    assert.ok(failure.includes('Meeting failed') && !failure.includes('Action items'))
  }
})

test('the plain text says what is new, what changed, and that there is more', () => {
  const message = messageWith('Fix the page', 14)
  const [first] = message.events
  assert.ok(first?.type === 'action_created')
  message.events.push({
    type: 'action_changed',
    payload: { ...first.payload, state: 'done', previous: { state: 'open' } },
  })
  const text = toPlainMessage(outlineMessage({ ...message, project: 'api' }, PUBLIC_URL))
  assert.match(
    text,
    /^Action items · api\nFix the page\n\nAction items\n• Fix the page · Fix the page\n/,
  )
  assert.match(
    text,
    /\n2 more in Hansard\n\nChanged action items\n• Fix the page · Fix the page · done\n/,
  )
})
