import type { PlatformEndReason } from '../../src/bots/platforms/platform.ts'
import type { Screen } from './page-protocol.ts'
import type { ConnectedPage } from './connected-page.ts'

export type StagePlatform = 'google-meet' | 'microsoft-teams'

/** The screen that leads to an end reason of a bot. No page shows the others. */
export const SCREEN_BY_END_REASON: Readonly<Partial<Record<PlatformEndReason, Screen>>> = {
  host_ended: 'ended',
  everyone_left: 'emptied',
  removed: 'removed',
  denied: 'denied',
  no_answer: 'no-answer',
  sign_in_required: 'sign-in',
  blocked_by_platform: 'blocked',
  captcha: 'captcha',
  meeting_not_found: 'bad-code',
  meeting_not_started: 'host-absent',
  page_not_loaded: 'splash',
}

/** Screens on another host, to which the page is redirected. */
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

/** Shows the screen in the page, or redirects the page to it. */
export function showScreen(page: ConnectedPage, screen: Screen, platform: StagePlatform): void {
  page.screen = screen
  const redirectUrl = REDIRECT_URLS[platform][screen]
  if (redirectUrl === undefined) page.send({ kind: 'screen', screen })
  else page.send({ kind: 'go', url: `${redirectUrl}${encodeURIComponent(page.address)}` })
}
