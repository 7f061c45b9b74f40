import type { PlatformEndReason } from '../../src/bots/platforms/platform.ts'
import type { Screen } from './page-protocol.ts'
import type { ConnectedPage } from './connected-page.ts'

export type StagePlatform = 'google-meet' | 'microsoft-teams'

/** The screen for each way in which a visit can be over; what no page can show has none. */
export const SCREEN_BY_END_REASON: Readonly<Record<PlatformEndReason, Screen | null>> = {
  host_ended: 'ended',
  removed: 'removed',
  denied: 'denied',
  no_answer: 'no-answer',
  sign_in_required: 'sign-in',
  blocked_by_platform: 'blocked',
  captcha: 'captcha',
  meeting_not_found: 'bad-code',
  meeting_not_started: 'host-absent',
  page_not_loaded: 'splash',
  captions_unavailable: null,
  browser_crashed: null,
  internal: null,
}

/** Screens of another host: the page is sent there. */
const REDIRECT_URLS: Record<StagePlatform, Partial<Record<Screen, string>>> = {
  'google-meet': {
    'sign-in': 'https://accounts.google.com/v3/signin/identifier?continue=',
    away: 'https://workspace.google.com/products/meet/?from=',
  },
  'microsoft-teams': {
    'sign-in': 'https://login.microsoftonline.com/common/oauth2/v2.0/authorize?redirect_uri=',
    away: 'https://teams.live.com/?from=',
  },
}

/** Shows a guest a screen, on the page or by sending it away. */
export function showScreen(guest: ConnectedPage, screen: Screen, platform: StagePlatform): void {
  guest.screen = screen
  const elsewhere = REDIRECT_URLS[platform][screen]
  if (elsewhere === undefined) guest.send({ kind: 'screen', screen })
  else guest.send({ kind: 'go', url: `${elsewhere}${encodeURIComponent(guest.address)}` })
}
