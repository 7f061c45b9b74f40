import { createMicrosoftTeams } from '../../src/platforms/microsoft-teams/index.ts'
import { teamsAddress } from '../stage/house.ts'
import { conforms } from './conformance.ts'

conforms({
  title: 'Microsoft Teams',
  create: createMicrosoftTeams,
  address: teamsAddress,
  // Its page for it asks to sign in.
  blockedReason: 'sign_in_required',
  wireId: /\/8:orgid:/,
  channels: ['main-channel'],
  textCss: '[data-tid="closed-caption-text"]',
  driftsIn: 'hangupButton',
  captionKeys: 'Alt+Shift+C',
  async resetLanguage({ pool }) {
    const page = pool.seats()[0]?.page
    await page?.evaluate("callingDebug.observableCall.setClosedCaptionsLanguage('en-us')")
  },
})
