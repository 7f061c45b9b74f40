import type { PageStateName } from '../page-model/page-states.ts'
import type { PlatformEndReason } from '../platform.ts'

/** What happened and what to do about it, for people who look for the missing transcript. */
const END_DETAILS: Readonly<Partial<Record<PlatformEndReason, (platform: string) => string>>> = {
  host_ended: (platform) => `The host ended the ${platform} meeting`,
  everyone_left: (platform) =>
    `${platform} ended the call, because the bot was the only participant`,
  removed: () => 'A participant removed the bot from the meeting',
  denied: () => 'A participant denied the request to join. Ask the host to admit the bot',
  no_answer: () => 'No participant answered the request to join. Ask the host to admit the bot',
  sign_in_required: (platform) =>
    `${platform} admits only people with an account to this meeting. Add a bot account (hansard account add) and name it as account at start, or ask the organizer to allow guests`,
  blocked_by_platform: (platform) =>
    `${platform} refused this browser before a participant could answer, as it does with most automated guests. Add a bot account (hansard account add), invite it to the meeting and name it as account at start, or let the bot use your own Chrome (HANSARD_BROWSER_CDP)`,
  captcha: (platform) =>
    `${platform} asks for proof that a person is joining, which a bot must not give. Use a bot account, or ask the organizer to turn the check off for guests`,
  meeting_not_found: (platform) =>
    `${platform} has no meeting with this link. Check the link and its passcode`,
  meeting_not_started: () => 'The host has not started the meeting',
  page_not_loaded: (platform) => `Hansard couldn’t open the ${platform} meeting page`,
  captions_unavailable: () =>
    'Captions could not be turned on. The organizer or an administrator may have turned them off for guests',
  browser_crashed: () => 'The browser failed several times in a row',
  internal: (platform) => `${platform} could not set up the encryption of the call`,
}

/** What happened when a page state ended the visit. Only for states whose reason alone says too little. */
const STATE_DETAILS: Readonly<
  Partial<Record<PageStateName | 'unknown', (platform: string) => string>>
> = {
  'account in call': (platform) =>
    `The bot account is already in this ${platform} call on another device, and the page only offers to end the call there. Leave the call on the other device, or use another bot account`,
  'not connected': (platform) =>
    `${platform} could not connect the bot to the meeting. Start again; if this keeps happening, check the network of the server`,
}

export function describeStateEnd(
  state: PageStateName | 'unknown',
  platform: string,
): string | null {
  return STATE_DETAILS[state]?.(platform) ?? null
}

export function describeEndReason(reason: PlatformEndReason, platformTitle: string): string {
  return END_DETAILS[reason]?.(platformTitle) ?? reason
}
