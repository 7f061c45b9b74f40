/**
 * Problems of a meeting that do not stop it: the page looks different than expected, or the platform does not recognise
 * the bot as a bot.
 */
export type WarningCode = 'page_drift' | 'unidentified'
