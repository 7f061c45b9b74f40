import { createGoogleMeet } from '../../src/bots/platforms/google-meet/google-meet.ts'
import { createMicrosoftTeams } from '../../src/bots/platforms/microsoft-teams/microsoft-teams.ts'
import { GOOGLE_MEET_PAGE_MODEL } from '../../src/bots/platforms/google-meet/page-model.ts'
import { GOOGLE_MEET_TRAFFIC_FILTER } from '../../src/bots/platforms/google-meet/wire/wire-reader.ts'
import { MICROSOFT_TEAMS_PAGE_MODEL } from '../../src/bots/platforms/microsoft-teams/page-model.ts'
import { MICROSOFT_TEAMS_TRAFFIC_FILTER } from '../../src/bots/platforms/microsoft-teams/wire/wire-reader.ts'
import { askToJoinMeet, newMeetUrl, newTeamsUrl } from '../stage/stage-browser.ts'
import type { PlatformProfile } from './stage-run.ts'

export const MEET: PlatformProfile = {
  title: 'Google Meet',
  name: 'google_meet',
  create: createGoogleMeet,
  address: newMeetUrl,
  pageModel: GOOGLE_MEET_PAGE_MODEL,
  trafficFilter: GOOGLE_MEET_TRAFFIC_FILTER,
  askToJoin: askToJoinMeet,
  blockedState: 'blocked: blocked_by_platform',
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
  pageModel: MICROSOFT_TEAMS_PAGE_MODEL,
  trafficFilter: MICROSOFT_TEAMS_TRAFFIC_FILTER,
  passLauncher: (page) => page.locator('button[data-tid="joinOnWeb"]').click(),
  async askToJoin(page) {
    await page.locator('input[data-tid="prejoin-display-name-input"]').fill('Notes Bot')
    await page.locator('#prejoin-join-button').click()
  },
  // When Teams blocks the bot, it asks the bot to sign in.
  blockedState: 'sign-in: sign_in_required',
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
