import { createGoogleMeet } from '../../src/bots/platforms/google-meet/google-meet.ts'
import { createMicrosoftTeams } from '../../src/bots/platforms/microsoft-teams/microsoft-teams.ts'
import { newMeetUrl, newTeamsUrl } from '../stage/stage-browser.ts'
import type { PlatformProfile } from './stage-run.ts'

export const MEET: PlatformProfile = {
  title: 'Google Meet',
  name: 'google_meet',
  create: createGoogleMeet,
  address: newMeetUrl,
  blockedReason: 'blocked_by_platform',
  wireIdPattern: /\/spaces\/stage\/devices\//,
  channels: ['captions', 'captions_v2', 'collections'],
  textCss: '.ygicle',
  driftingPart: 'peopleButton',
  captionKeys: 'c',
  resetLanguage({ show }) {
    for (const guest of show.pages.all) guest.language = 'en-us'
    return Promise.resolve()
  },
}

export const TEAMS: PlatformProfile = {
  title: 'Microsoft Teams',
  name: 'microsoft_teams',
  create: createMicrosoftTeams,
  address: newTeamsUrl,
  // As in a full Chrome, a frame of another site is in another process.
  browserArguments: ['--site-per-process'],
  // Teams asks the bot to sign in when it blocks it.
  blockedReason: 'sign_in_required',
  wireIdPattern: /\/8:orgid:/,
  channels: ['main-channel'],
  textCss: '[data-tid="closed-caption-text"]',
  driftingPart: 'hangupButton',
  captionKeys: 'Alt+Shift+C',
  async resetLanguage({ pool, show }) {
    const page = pool.inUse()[0]?.page
    const reset = "globalThis.callingDebug?.observableCall.setClosedCaptionsLanguage('en-us')"
    await page?.evaluate(reset)
    for (const guest of show.pages.all) guest.language = 'en-us'
  },
}
