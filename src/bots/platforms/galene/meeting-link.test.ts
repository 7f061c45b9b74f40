import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { formatExampleLink, parseGaleneLink } from './meeting-link.ts'

const HOSTS = [
  'meet.example.com',
  '10.0.0.5:8443',
  '127.0.0.1:9000',
  'localhost:9001',
  '[::1]:9002',
]
const parse = (given: string) => parseGaleneLink(given, HOSTS)?.url ?? null

test('links to groups of listed servers are accepted in one form', () => {
  const expected = 'https://meet.example.com/group/talk/'
  const given = [
    'https://meet.example.com/group/talk/',
    'https://meet.example.com/group/talk',
    ' <https://MEET.example.com:443/group/talk/?token=abc#x>, ',
    'meet.example.com/group/talk/',
    'https://www.google.com/url?q=https%3A%2F%2Fmeet.example.com%2Fgroup%2Ftalk%2F',
  ]
  for (const text of given) assert.equal(parse(text), expected, text)
  assert.deepEqual(parseGaleneLink('https://10.0.0.5:8443/group/a/b%20c/', HOSTS), {
    url: 'https://10.0.0.5:8443/group/a/b%20c/',
    room: '10.0.0.5:8443/a/b c',
    label: 'Galène a/b c',
  })
})

test('only servers on this machine are reached without TLS', () => {
  for (const host of ['127.0.0.1:9000', 'localhost:9001', '[::1]:9002'])
    assert.equal(parse(`http://${host}/group/talk/`), `http://${host}/group/talk/`)
  assert.equal(parse('http://10.0.0.5:8443/group/talk/'), null)
  assert.equal(parse('http://meet.example.com/group/talk/'), 'https://meet.example.com/group/talk/')
})

test('links to other servers, ports and pages are refused', () => {
  const given = [
    'https://evil.example/group/talk/',
    'https://meet.example.com.evil.example/group/talk/',
    'https://evil.meet.example.com/group/talk/',
    'https://meet.example.com:8443/group/talk/',
    'https://10.0.0.5/group/talk/',
    'https://127.0.0.1/group/talk/',
    'https://user:secret@meet.example.com/group/talk/',
    'https://meet.example.com@evil.example/group/talk/',
    'https://meet.example.com/',
    'https://meet.example.com/group/',
    'https://meet.example.com/group//talk',
    'https://meet.example.com/group/.status',
    'https://meet.example.com/group/talk/.status',
    'https://meet.example.com/group/%2e%2e/x',
    'https://meet.example.com/group/a%2f..%2fb',
    'https://meet.example.com/group/a%5cb',
    'https://meet.example.com/group/%00',
    'https://meet.example.com/group/%E0%A4%A',
    `https://meet.example.com/group/${'x'.repeat(201)}`,
    'ftp://meet.example.com/group/talk/',
    'javascript:alert(1)',
    '',
  ]
  for (const text of given) assert.equal(parse(text), null, text)
  assert.equal(parseGaleneLink('https://meet.example.com/group/talk/', []), null)
})

test('the example of a link has the scheme that the server accepts', () => {
  assert.equal(formatExampleLink('meet.example.com'), 'https://meet.example.com/group/<name>/')
  for (const host of ['127.0.0.1:8443', 'localhost:8443', '[::1]:8443'])
    assert.equal(formatExampleLink(host), `http://${host}/group/<name>/`)
})
