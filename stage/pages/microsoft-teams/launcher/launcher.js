import { el, overlay, paint } from '../../common/dom.js'
import { textsOf } from '../texts.js'

/** The page before the client. It offers the app or the browser. */

/** `/_#/meet/…` or `/_#/l/meetup-join/…`. Only the part after the hash identifies the meeting. */
const inner = new URLSearchParams(location.search).get('url') ?? ''
const meeting = inner.slice(inner.indexOf('#') + 1)

const answer = await fetch(`/stage/launcher-settings?address=${encodeURIComponent(location.href)}`)
const { client, locale, frame, asksAboutCookies } = await answer.json()
document.documentElement.lang = locale
const texts = textsOf(locale)

const FRAME_ORIGINS = { 'same host': '', 'other host': 'https://teams.cloud.microsoft' }

function goOn() {
  const address = client === 'light' ? lightAddress() : `/v2/?meetingjoin=true#${meeting}`
  if (frame === 'none') return location.assign(address)
  location.assign(`/frame/#${FRAME_ORIGINS[frame]}${address}`)
}

function lightAddress() {
  const query = new URLSearchParams({
    agent: 'web',
    version: '26110100100',
    anon: 'true',
    lightExperience: 'true',
    deeplinkId: 'stage',
  })
  const coords = coordinates()
  if (coords === null) return `/light-meetings/launch?${query.toString()}#${meeting}`
  query.set('coords', coords)
  return `/light-meetings/launch?${query.toString()}`
}

/** The parameters of a meeting with a thread id come from its path. A meeting with a number has only its address. */
function coordinates() {
  const match = /^\/l\/meetup-join\/([^/]+)\/(\d+)\?(.*)$/.exec(meeting)
  if (match === null) return null
  const [, thread, messageId, query] = match
  const { Tid, Oid } = JSON.parse(new URLSearchParams(query).get('context') ?? '{}')
  const conversationId = decodeURIComponent(thread)
  return btoa(JSON.stringify({ conversationId, tenantId: Tid, organizerId: Oid, messageId }))
}

paint(
  el('h1', {}, texts.howToJoin),
  el('button', { 'data-tid': 'joinInApp' }, texts.joinInApp),
  el(
    'button',
    { 'data-tid': 'joinOnWeb', 'aria-label': texts.joinOnWebLabel, onclick: goOn },
    texts.joinOnWeb,
  ),
)

/** The cookie banner of Microsoft's sites. It covers the page until it is answered. */
function showCookieBanner() {
  const choice = (words) => el('button', { onclick: () => banner.remove() }, words)
  const banner = overlay(
    el(
      'div.scrim',
      { id: 'wcpConsentBannerCtrl' },
      el('p', {}, texts.cookies),
      choice(texts.cookieAccept),
      choice(texts.cookieReject),
    ),
  )
}
if (asksAboutCookies) showCookieBanner()
