import type { RecapMailRecipients } from '../../src/http/shapes/values.ts'

export const RECAP_MAIL_LABELS: Record<RecapMailRecipients, string> = {
  nobody: 'Nobody',
  participants: 'Participants with an account',
  members: 'Everyone who may read the project',
}
