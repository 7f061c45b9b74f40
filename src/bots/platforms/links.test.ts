import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { trimPastedLink, parsePastedLinkCandidates } from './links.ts'

const TARGET = 'https://example.com/room?a=1'
const ROOM = { host: 'example.com', path: '/room', query: 'a=1', fragment: '' }

test('characters around a pasted link are removed', () => {
  const given = [
    ` ${TARGET}\r\n`,
    `<${TARGET}>`,
    `"${TARGET}"`,
    `'${TARGET}',`,
    `(${TARGET}).`,
    `“${TARGET}”`,
    `\u202a${TARGET}\u202c`,
    `\ufeff\u00a0${TARGET}\u200b`,
    `${TARGET}>;`,
  ]
  for (const text of given) assert.equal(trimPastedLink(text), TARGET, JSON.stringify(text))
})

test('a text with characters outside plain ASCII is rejected as a link', () => {
  const given = [
    '',
    ' ',
    'a b',
    'a\tb',
    'a\nb',
    'a\0b',
    'a\\b',
    'ａｂ',
    'a\u200bb',
    'a\u202eb',
    '\0a',
  ]
  for (const text of given) assert.equal(trimPastedLink(text), null, JSON.stringify(text))
})

test('a link is extracted from redirect services', () => {
  const encoded = encodeURIComponent(TARGET)
  const google = `https://www.google.com/url?q=${encoded}&sa=D&source=calendar`
  const safe = 'https://eur03.safelinks.protection.outlook.com/'
  const given = [
    google,
    `google.com/url?sa=t&url=${encoded}`,
    `${safe}?url=${encoded}&data=05%7C02%7C&reserved=0`,
    `${safe}ap/t-59584e83/?url=${encoded}`,
    `${safe}?url=${encodeURIComponent(google)}`,
    encodeURIComponent(google),
  ]
  for (const text of given) assert.deepEqual(parsePastedLinkCandidates(text)[0], ROOM, text)
})

test('a link is extracted from the redirects of mail filters', () => {
  const given = [
    'https://urldefense.proofpoint.com/v2/url?u=https-3A__example.com_room-3Fa-3D1&d=DwMFaQ&c=abc',
    'https://urldefense.com/v3/__https://example.com/room?a=1__;!!Abc!def$',
    'https://urldefense.com/v3/__https:/example.com/room?a=1__;!!Abc!def$',
    'https://urldefense.com/v3/__https://example.com/room*a*1__;Pz0!!Abc!def$',
    'https://urldefense.us/v3/__https://example.com/room**B1__;P2E9!!Abc!def$',
    'https://linkprotect.cudasvc.com/url?a=https%3a%2f%2fexample.com%2froom%3fa%3d1&c=E,1,x',
  ]
  for (const text of given) assert.deepEqual(parsePastedLinkCandidates(text)[0], ROOM, text)
})

test('only a limited chain of redirect services is followed', () => {
  let text = TARGET
  for (let layer = 0; layer < 3; layer += 1) {
    text = `https://google.com/url?q=${encodeURIComponent(text)}`
    assert.deepEqual(parsePastedLinkCandidates(text)[0], ROOM)
  }
  assert.deepEqual(
    parsePastedLinkCandidates(`https://google.com/url?q=${encodeURIComponent(text)}`),
    [],
  )
})

test('hosts that imitate a redirect service are not followed', () => {
  const encoded = encodeURIComponent(TARGET)
  const given = [
    `https://evil.tld/url?q=${encoded}`,
    `https://google.com.evil.tld/url?q=${encoded}`,
    `https://mygoogle.com/url?q=${encoded}`,
    `https://google.com/search?q=${encoded}`,
    `https://safelinks.protection.outlook.com.evil.tld/?url=${encoded}`,
    `https://xsafelinks.protection.outlook.com/?url=${encoded}`,
    `https://meet.google.com/linkredirect?dest=${encoded}`,
    `https://urldefense.com.evil.tld/v3/__${TARGET}__;!!Abc!def$`,
    `https://urldefense.com/v3/${TARGET}`,
    `https://linkprotect.cudasvc.com/other?a=${encoded}`,
  ]
  for (const text of given) assert.deepEqual(parsePastedLinkCandidates(text), [], text)
})

test('a link is decoded at most three times', () => {
  let text = 'https://example.com/room?a=%31'
  for (let round = 0; round < 3; round += 1) {
    text = encodeURIComponent(text)
    assert.equal(parsePastedLinkCandidates(text)[0]?.host, 'example.com', text)
  }
  assert.deepEqual(parsePastedLinkCandidates(encodeURIComponent(text)), [])
})
