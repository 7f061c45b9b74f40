import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { listExampleLinks, parseLivekitLink } from './livekit-link.ts'

const SETTINGS = {
  hosts: ['livekit.example.com', '10.0.0.5:7880', '127.0.0.1:7880'],
  laSuiteMeetHosts: ['visio.example.com'],
  signToken: () => 'token',
}
const parse = (given: string) => parseLivekitLink(given, SETTINGS)?.url ?? null

test('links to rooms of listed servers are accepted in one form', () => {
  const expected = 'https://livekit.example.com/rooms/team%20call'
  for (const given of [
    expected,
    'wss://livekit.example.com/rooms/team%20call/',
    '  https://LiveKit.example.com/rooms/team%20call?token=x#y ',
    '<https://livekit.example.com/rooms/team%20call>',
  ])
    assert.equal(parse(given), expected, given)
  assert.equal(parse('https://10.0.0.5:7880/rooms/a'), 'https://10.0.0.5:7880/rooms/a')
  assert.equal(parse('ws://127.0.0.1:7880/rooms/a'), 'http://127.0.0.1:7880/rooms/a')
  // Only a server on this machine is reached without TLS.
  assert.equal(parse('ws://10.0.0.5:7880/rooms/a'), null)
})

test('links to rooms of La Suite Meet are accepted with and without hyphens', () => {
  for (const given of [
    'https://visio.example.com/abc-defg-hij',
    'visio.example.com/abcdefghij',
    'https://visio.example.com/ABC-DEFG-HIJ/?x=1',
  ])
    assert.equal(parse(given), 'https://visio.example.com/abc-defg-hij', given)
  const link = parseLivekitLink('https://visio.example.com/abc-defg-hij', SETTINGS)
  assert.deepEqual(
    [link?.room, link?.label],
    ['visio.example.com/abc-defg-hij', 'La Suite Meet abc-defg-hij'],
  )
})

test('links to LiveKit servers that are not listed, other ports and pages are refused', () => {
  for (const given of [
    'https://livekit.example.org/rooms/a',
    'https://livekit.example.com:8443/rooms/a',
    'https://user:password@livekit.example.com/rooms/a',
    'https://livekit.example.com/rooms/',
    'https://livekit.example.com/rooms/a/b',
    'https://livekit.example.com/rooms/%00',
    'https://livekit.example.com/rooms/%E0%A4%A',
    `https://livekit.example.com/rooms/${'x'.repeat(201)}`,
    'https://livekit.example.com/abc-defg-hij',
    'https://visio.example.com/rooms/a',
    'https://visio.example.com/abc-defg-hijk',
    'https://meet.google.com/abc-defg-hij',
    '',
  ])
    assert.equal(parse(given), null, given)
})

test('examples name rooms only where a bot can join them', () => {
  assert.deepEqual(listExampleLinks({ ...SETTINGS, signToken: null }), [
    'https://visio.example.com/abc-defg-hij',
  ])
  assert.equal(listExampleLinks(SETTINGS)[3], 'http://127.0.0.1:7880/rooms/<name>')
})
