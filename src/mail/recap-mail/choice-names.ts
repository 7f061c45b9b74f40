/** Which recaps a person wants by mail, of those that their projects send. */
export const RECAP_MAIL_CHOICES = ['all', 'took_part', 'none'] as const
export type RecapMailChoice = (typeof RECAP_MAIL_CHOICES)[number]
