import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { parseGoogleMeetLink } from './meeting-link.ts'
import { scaleRuns } from '../../../../test/support/test-size.ts'

const CODE = 'abc-defg-hij'
const URL_OF_CODE = `https://meet.google.com/${CODE}`

test('every spelling of a Google Meet link gives the same meeting', () => {
  const given = [
    URL_OF_CODE,
    `${URL_OF_CODE}?authuser=0`,
    `${URL_OF_CODE}?authuser=test%40gmail.com`,
    `${URL_OF_CODE}?authuser=0&hs=178`,
    `${URL_OF_CODE}?pli=1`,
    `${URL_OF_CODE}?hl=en#share`,
    `${URL_OF_CODE}/`,
    `meet.google.com/${CODE}`,
    `http://meet.google.com/${CODE}`,
    `https://www.meet.google.com/${CODE}`,
    `HTTPS://MEET.GOOGLE.COM/${CODE}`,
    `"${URL_OF_CODE}"`,
    `'${URL_OF_CODE}'`,
    `j${URL_OF_CODE}`,
    `${URL_OF_CODE}>`,
    `<${URL_OF_CODE}>`,
    `  ${URL_OF_CODE}\n`,
    'https://meet.google.com/ABC-DEFG-HIJ',
    CODE,
    'Abc-Defg-Hij',
    `https://www.google.com/url?q=${encodeURIComponent(URL_OF_CODE)}&sa=D`,
    `https://www.google.com/url?q=${URL_OF_CODE}`,
    `https://nam02.safelinks.protection.outlook.com/?url=${encodeURIComponent(URL_OF_CODE)}&data=05`,
    encodeURIComponent(URL_OF_CODE),
    encodeURIComponent(encodeURIComponent(encodeURIComponent(URL_OF_CODE))),
    'https://meet.google.com/abc%2Ddefg%2Dhij',
  ]
  for (const text of given) {
    assert.deepEqual(
      parseGoogleMeetLink(text),
      { url: URL_OF_CODE, room: CODE, label: `Google Meet ${CODE}` },
      text,
    )
  }
})

test('a Google Meet nickname is converted to lower case', () => {
  assert.deepEqual(parseGoogleMeetLink('https://meet.google.com/Our-Team-Standup?authuser=1'), {
    url: 'https://meet.google.com/our-team-standup',
    room: 'our-team-standup',
    label: 'Google Meet our-team-standup',
  })
  assert.equal(parseGoogleMeetLink('our-team-standup'), null)
})

test('Google Meet page paths and mistyped codes are rejected', () => {
  const paths = [
    '',
    'landing',
    'Landing',
    'l%61nding',
    'new',
    'lookup',
    'lookup/abcdefghij',
    'lookup%2Fabcdefghij',
    'linkredirect?dest=abc',
    'INVALID_CODE!',
    'abcd-efgh-ijkl',
    'abc-defg',
    '123-4567-890',
    'abc-defg-hijk',
    'abcdefghij-',
    '-abcdefghij',
    'abcd',
    'x'.repeat(41),
    'abc-defg-hij/extra',
    'x/../abc-defg-hij',
    'x%2F..%2Fabc-defg-hij',
    '/abc-defg-hij',
    'abc-defg-hij%00',
    'abc-defg-hij%0a',
    'аbc-defg-hij',
  ]
  for (const path of paths) {
    assert.equal(parseGoogleMeetLink(`https://meet.google.com/${path}`), null, path)
  }
  assert.equal(parseGoogleMeetLink('https://meet.google.com'), null)
  assert.equal(parseGoogleMeetLink('meet.google.com'), null)
})

test('links that imitate Google Meet are rejected', () => {
  const given = [
    `https://google.com/${CODE}`,
    `https://meet.google.com.evil.tld/${CODE}`,
    `https://evilmeet.google.com/${CODE}`,
    `https://x.meet.google.com/${CODE}`,
    `https://meet.google.com./${CODE}`,
    `https://evil.tld/?next=meet.google.com/${CODE}`,
    `https://evil.tld/meet.google.com/${CODE}`,
    `https://evil.tld#meet.google.com/${CODE}`,
    `https://meet.google.com@evil.tld/${CODE}`,
    `https://meet.google.com%40evil.tld/${CODE}`,
    `https://user:pass@meet.google.com/${CODE}`,
    `https://meet.google.com:443/${CODE}`,
    `https://meet.google.com:8443/${CODE}`,
    `meet.google.com:443/${CODE}`,
    `https:\\\\meet.google.com\\${CODE}`,
    `https://evil.tld\\@meet.google.com/${CODE}`,
    `https://meet.google.com\\@evil.tld/${CODE}`,
    `https://meet.google.com%5c@evil.tld/${CODE}`,
    `https://meet.google.com%2F@evil.tld/${CODE}`,
    `https://meet.google.com%2F${CODE}`,
    `https://meet%2Egoogle%2Ecom/${CODE}`,
    `meet%2Egoogle%2Ecom/${CODE}`,
    `https://mеet.google.com/${CODE}`,
    `https://xn--met-mcd.google.com/${CODE}`,
    `https://ｍｅｅｔ.google.com/${CODE}`,
    `https://meet。google。com/${CODE}`,
    `https://meet.google.com/ａｂｃ-defg-hij`,
    `https://meet.goo\tgle.com/${CODE}`,
    `https://meet.google.com/abc-\ndefg-hij`,
    `https://meet.google.com/${CODE}\0.evil`,
    `https:/meet.google.com/${CODE}`,
    `https:meet.google.com/${CODE}`,
    `https:///meet.google.com/${CODE}`,
    `//meet.google.com/${CODE}`,
    `ftp://meet.google.com/${CODE}`,
    `file://meet.google.com/${CODE}`,
    `view-source:https://meet.google.com/${CODE}`,
    `javascript://meet.google.com/${CODE}`,
    `javascript:alert(1)//meet.google.com/${CODE}`,
    `data:text/html,https://meet.google.com/${CODE}`,
    `evilhttps://meet.google.com/${CODE}`,
    `practice://meet.google.com/${CODE}`,
    `practice://${CODE}`,
    'practice://standup',
    `https://meet.google.com/${CODE}?next=https://evil.tld`,
    `https://meet.google.com/${CODE}?next=https%3A%2F%2Fevil.tld`,
    `https://meet.google.com/${CODE}?next=https%25253A%25252F%25252Fevil.tld`,
    `https://meet.google.com/${CODE}#https://evil.tld`,
    `https://www.google.com/url?q=https://evil.tld/${CODE}`,
    `https://www.google.com/url?q=`,
    `https://google.com.evil.tld/url?q=${URL_OF_CODE}`,
    `https://meet.google.com/linkredirect?dest=https://evil.tld`,
    `${CODE} ${CODE}`,
    `https://127.0.0.1/${CODE}`,
    `https://[::1]/${CODE}`,
    '%'.repeat(100),
    '',
  ]
  for (const text of given) assert.equal(parseGoogleMeetLink(text), null, JSON.stringify(text))
})

test('a Google Meet link that is encoded four times is rejected', () => {
  let text = URL_OF_CODE
  for (let round = 0; round < 4; round += 1) text = encodeURIComponent(text)
  assert.equal(parseGoogleMeetLink(text), null)
})

test('a very long text is rejected as a Google Meet link', () => {
  const fills = ['a', '%25', ')', '.', ' ', 'https://', '/', 'meet.google.com/', '%68%74%74%70']
  for (const fill of fills) {
    assert.equal(parseGoogleMeetLink(URL_OF_CODE + '?' + fill.repeat(65_536 / fill.length)), null)
    // The longest text that is still parsed must be fast too.
    parseGoogleMeetLink((URL_OF_CODE + '?' + fill.repeat(8_192)).slice(0, 8_192))
  }
})

const piece = fc.constantFrom(
  'https://',
  'http://',
  'meet.google.com',
  'www.',
  '/',
  CODE,
  'ABC-defg-hij',
  'our-team-standup',
  'lookup',
  '?',
  '#',
  '%2F',
  '%3A',
  '%252F',
  '@',
  ':443',
  '\\',
  '.evil.tld',
  'google.com/url?q=',
  'practice://',
  '<',
  '>',
  '"',
  ' ',
  '.',
)
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join('')),
  fc
    .tuple(
      fc.constantFrom('', 'https://', '<'),
      fc.constantFrom('', CODE, 'our-team-standup'),
      fc.array(piece, { maxLength: 3 }),
    )
    .map(([head, room, tail]) => `${head}meet.google.com/${room}${tail.join('')}`),
)

test('for any text Google Meet returns null or a canonical link that parses to itself', () => {
  const numRuns = scaleRuns(20_000)
  let accepted = 0
  fc.assert(
    fc.property(text, (given) => {
      const address = parseGoogleMeetLink(given)
      if (address === null) return
      accepted += 1
      assert.match(address.url, /^https:\/\/meet\.google\.com\/[a-z0-9-]{5,40}$/)
      assert.equal(new URL(address.url).href, address.url)
      assert.deepEqual(parseGoogleMeetLink(address.url), address)
    }),
    { seed: 20_260, numRuns },
  )
  assert.ok(accepted > numRuns / 40, `only ${accepted} accepted`)
})
