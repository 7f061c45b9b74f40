import type { Act } from '../visit/page-platform.ts'

export const leaveMicrosoftTeams: Act = (hand) => hand.click('hangupButton')

/** Without it others go on seeing the bot in the lobby for a while. */
export const withdrawMicrosoftTeams: Act = (hand) => hand.click('cancelButton')
