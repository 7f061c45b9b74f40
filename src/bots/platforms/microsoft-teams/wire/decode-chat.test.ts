import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { decodeChatEvent, textOfHtml } from './decode-chat.ts'

const MESSAGE = {
  clientMessageId: '42',
  from: 'https://teams.microsoft.com/api/chatsvc/emea/v1/users/ME/contacts/8:orgid:abc',
  imDisplayName: 'Ana Ribeiro',
  content: '<p>Hansard&nbsp;<strong>stop</strong></p>',
  messageType: 'RichText/Html',
}
const decode = (...messages: object[]) =>
  decodeChatEvent(
    JSON.stringify({ data: { chatServiceBatchEvent: messages.map((message) => ({ message })) } }),
  )

test('a chat event of Microsoft Teams gives author, id and text', () => {
  assert.deepEqual(decode(MESSAGE, { ...MESSAGE, messageType: 'Event/Call' }, {}), {
    isDecoded: true,
    value: [
      {
        messageId: '42',
        authorId: '8:orgid:abc',
        authorName: 'Ana Ribeiro',
        text: 'Hansard stop',
      },
    ],
  })
})

test('other events of the same function have no messages, and broken ones are not decoded', () => {
  for (const text of ['{}', '[]', 'null', '{"data":null}', '{"data":{"typing":[]}}'])
    assert.deepEqual(decodeChatEvent(text), { isDecoded: true, value: [] })
  assert.equal(decodeChatEvent('{').isDecoded, false)
  assert.equal(decodeChatEvent('').isDecoded, false)
})

test('HTML of a chat message becomes plain text', () => {
  const cases: Array<[html: string, text: string]> = [
    ['a<br>b', 'a b'],
    ['<p>one</p><p>two</p>', 'one two'],
    ['&lt;script&gt;alert(1)&lt;/script&gt;', '<script>alert(1)</script>'],
    ['1 &amp; 2 &#39;&#x41;&unknown; &#99999999;', "1 & 2 'A&unknown; &#99999999;"],
    ['<'.repeat(50_000), '<'.repeat(20_000)],
  ]
  for (const [html, text] of cases) assert.equal(textOfHtml(html), text)
})
