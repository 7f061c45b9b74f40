import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { collectLinks, findMeetingLink } from './links.ts'

test('links are found in text and HTML, in their order and each once', () => {
  const texts = [
    'Room 3; https://meet.google.com/abc-defg-hij',
    'Join <https://teams.microsoft.com/l/meetup-join/1?context=%7b%22Tid%22%7d>\nor meet.google.com/abc-defg-klm.',
    '<a href="https://example.com/?a=1&amp;b=&#50;">x</a> https://meet.google.com/abc-defg-hij',
    'practice://standup?speed=10',
  ]
  assert.deepEqual(collectLinks(texts), [
    'https://meet.google.com/abc-defg-hij',
    'https://teams.microsoft.com/l/meetup-join/1?context=%7b%22Tid%22%7d',
    'meet.google.com/abc-defg-klm.',
    'https://example.com/?a=1&b=2',
    'practice://standup?speed=10',
  ])
})

test('words, addresses and other hosts are no meeting links', () => {
  const texts = [
    'one-stop-now',
    'ada@meet.google.com/x',
    'notmeet.google.com/abc',
    'ftp://example.com',
  ]
  assert.deepEqual(collectLinks(texts), [])
})

test('the number of links of an event is limited', () => {
  const text = Array.from({ length: 500 }, (_, i) => `https://example.com/${i}`).join(' ')
  assert.equal(collectLinks([text]).length, 100)
})

test('the first link that is a meeting is used', () => {
  const tried: string[] = []
  const parse = (url: string) => {
    tried.push(url)
    return url.includes('meet') ? { url } : null
  }
  assert.deepEqual(findMeetingLink(['a', 'meet/1', 'meet/2'], parse), { url: 'meet/1' })
  assert.deepEqual(tried, ['a', 'meet/1'])
  assert.equal(findMeetingLink(['a'], parse), null)
})
