import type { PlatformEndReason } from '../platform.ts'

/** What happened and what to do about it, for people who look for the missing transcript. */
const END_DETAILS: Readonly<Partial<Record<PlatformEndReason, (platform: string) => string>>> = {
  host_ended: (platform) => `The host ended the ${platform} meeting`,
  removed: () => 'Somebody in the meeting removed the bot',
  denied: () =>
    'Somebody in the meeting denied the request to join; ask the host to let the bot in',
  no_answer: () =>
    'Nobody in the meeting answered the request to join; ask the host to let the bot in',
  sign_in_required: (platform) =>
    `${platform} lets only people with an account into this meeting. Add a bot account (hansard account add) and name it as account at start, or have the organizer allow guests`,
  blocked_by_platform: (platform) =>
    `${platform} refused this browser before anybody in the meeting could answer, as it does with most guests that are programs. Add a bot account (hansard account add), invite it to the meeting and name it as account at start, or let the bot use your own Chrome (HANSARD_BROWSER_CDP)`,
  captcha: (platform) =>
    `${platform} asks for proof that a person is joining, and a program must not give it. Use a bot account, or have the organizer turn the check off for guests`,
  meeting_not_found: (platform) =>
    `${platform} knows no meeting at this address; check the link and its passcode`,
  meeting_not_started: () => 'The meeting has not been started by its host',
  page_not_loaded: (platform) => `The page of ${platform} did not become a meeting`,
  captions_unavailable: () =>
    'Captions could not be turned on; the organizer or an administrator may have turned them off for guests',
  browser_crashed: () => 'The browser failed several times in a row',
  internal: () => 'The page ended the visit in a way that the bot does not know',
}

export function describeEnd(because: PlatformEndReason, platform: string): string {
  return END_DETAILS[because]?.(platform) ?? because
}
