import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { explainRejectedLink } from '../explain-rejected-link.ts'
import { meetingNumberOf, parseZoomLink } from './meeting-link.ts'

test('links of a Zoom meeting lead to the same meeting, whatever their form', () => {
  const links = [
    'https://zoom.us/j/81234567890',
    'https://acme.zoom.us/j/81234567890?pwd=aBc-1_x.1',
    'https://us02web.zoom.us/j/81234567890?pwd=abc&omn=1#success',
    'https://app.zoom.us/wc/81234567890/join?pwd=abc',
    'https://zoom.us/wc/join/81234567890',
    'https://acme.zoom.com/w/81234567890',
    'https://zoom.us/s/81234567890',
    '<https://zoom.us/j/81234567890>',
    'https://www.google.com/url?q=https://zoom.us/j/81234567890&sa=D',
  ]
  for (const given of links) {
    const link = parseZoomLink(given)
    assert.ok(link !== null, given)
    assert.deepEqual([link.room, meetingNumberOf(link)], ['zoom/81234567890', '81234567890'])
  }
  assert.equal(
    parseZoomLink('https://acme.zoom.us/j/812345678?pwd=aBc.1')?.url,
    'https://zoom.us/j/812345678?pwd=aBc.1',
  )
  assert.equal(parseZoomLink('https://zoom.us/j/812345678?pwd=%3Cb%3E')?.passcode, undefined)
})

test('other links are refused, and the reason is explained', () => {
  const refused = [
    'https://zoom.us/my/ana',
    'https://zoom.us/j/1234',
    'https://zoom.us/j/812345678901',
    'https://events.zoom.us/j/81234567890',
    'https://zoom.us.example.com/j/81234567890',
    'https://evilzoom.us/j/81234567890',
    'https://zoom.us/rec/share/x',
    'https://zoomgov.com/j/81234567890',
  ]
  for (const given of refused) assert.equal(parseZoomLink(given), null, given)
  assert.match(explainRejectedLink('https://acme.zoom.us/my/ana'), /personal Zoom link/)
  assert.match(explainRejectedLink('https://zoom.us/j/81234567890'), /HANSARD_ZOOM_CLIENT_ID/)
  assert.match(explainRejectedLink('https://www.zoomgov.com/j/81234567890'), /Government/)
})
