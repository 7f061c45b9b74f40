/**
 * Problems of a meeting that do not stop it: the page looks different than expected, the platform does not recognise the
 * bot as a bot, or the bot could not write in the meeting chat.
 */
export const WARNING_CODES = ['page_drift', 'unidentified', 'chat_unavailable'] as const
export type WarningCode = (typeof WARNING_CODES)[number]
