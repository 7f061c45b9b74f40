import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { explainRejectedLink } from './explain-rejected-link.ts'

const JOIN = 'https://teams.microsoft.com/l/meetup-join/19%3ameeting_MjdhNjM4@thread.v2/0'
const EVERYTHING = /is incomplete\. Copy the whole link, with everything after \?context=/

test('a Microsoft Teams link that is cut off is called incomplete', () => {
  const cases: Array<[link: string, message: RegExp]> = [
    [JOIN, EVERYTHING],
    [`${JOIN}?context=%7b%22Tid%22%3a%2272f988bf`, EVERYTHING],
    ['https://teams.microsoft.com/l/meetup-join/19%3ameeting_MjdhNjM4', EVERYTHING],
    [encodeURIComponent(`${JOIN}?context=`), EVERYTHING],
    ['https://gov.teams.microsoft.us/l/meetup-join/19%3ameeting_MjdhNjM4', EVERYTHING],
    ['https://teams.microsoft.com/light-meetings/launch?agent=web', /after \?coords=/],
    ['https://teams.live.com/meet/93123', /10 to 15 digits/],
    ['https://teams.microsoft.com/v2/', /does not name a meeting/],
  ]
  for (const [link, message] of cases) assert.match(explainRejectedLink(link), message, link)
})

test('a practice link with an unknown name or a wrong speed lists what there is', () => {
  const all =
    '(standup, denied, lobby-timeout, removed, host-ends, captions-lost, everyone-leaves, long)'
  assert.equal(
    explainRejectedLink(' practice://standpu'),
    `There is no practice meeting with this name; did you mean standup? ${all}`,
  )
  assert.equal(
    explainRejectedLink('practice:'),
    `There is no practice meeting with this name ${all}`,
  )
  for (const end of ['?speed=5000', '?speed=fast', '?pace=2'])
    assert.equal(
      explainRejectedLink(`practice://Standup${end}`),
      'Only a speed from 0.1 to 1000 may follow the name, as in practice://standup?speed=10',
    )
})

test('a link to a group of an unlisted Galène server names the setting', () => {
  for (const link of ['https://meet.example.com/group/talk/', 'http://10.0.0.5:8443/group/talk'])
    assert.match(explainRejectedLink(link), /HANSARD_GALENE_HOSTS/)
  assert.doesNotMatch(explainRejectedLink('https://example.com/group/'), /GALENE/)
})
