import type { AuditAction } from '../../src/http/shapes/values.ts'

export const AUDIT_ACTION_LABELS: Record<AuditAction, string> = {
  'user created': 'Person added',
  'user removed': 'Person removed',
  'user invited': 'Invitation created',
  'invitation withdrawn': 'Invitation withdrawn',
  'signed in': 'Signed in',
  'sign-in failed': 'Sign-in failed',
  'signed out': 'Signed out',
  'session ended': 'Session ended',
  'sessions ended': 'Other sessions ended',
  'profile changed': 'Profile changed',
  'role changed': 'Role changed',
  'email changed': 'Email changed',
  'password changed': 'Password changed',
  'password reset': 'Password reset by link',
  'reset link created': 'Reset link created',
  'reset link withdrawn': 'Reset link withdrawn',
  'identity linked': 'Provider account linked',
  'identity unlinked': 'Provider account unlinked',
  'identity link failed': 'Provider account not linked',
  'passkey added': 'Passkey added',
  'passkey removed': 'Passkey removed',
  'token created': 'API token created',
  'token revoked': 'API token revoked',
  'assistant connected': 'Assistant connected',
  'assistant token reused': 'Access of an assistant used twice',
  'meetings of token stopped': 'Meetings of an API token stopped',
  'scheduled meetings of token stopped': 'Scheduled meetings of an API token stopped',
  'next secret created': 'Signing secret created',
  'next secret activated': 'Signing secret activated',
  'next secret cancelled': 'Signing secret cancelled',
  'bot account added': 'Bot account added',
  'bot account renewed': 'Bot account renewed',
  'bot account removed': 'Bot account removed',
  'speech installation started': 'Speech installation started',
  'speech recognition removed': 'Speech recognition removed',
  'backup made': 'Backup created',
  'project access changed': 'Project access changed',
  'project member added': 'Project member added or changed',
  'project member removed': 'Project member removed',
  'admin added to project': 'Administrator added themselves to a project',
  'meeting moved': 'Meeting moved',
  'meeting renamed': 'Meeting renamed',
  'speaker renamed': 'Speaker renamed',
  'meeting start changed': 'Meeting start changed',
  'task taken over': 'Task taken over',
  'prompt created': 'Prompt created',
  'prompt changed': 'Prompt changed',
  'prompt removed': 'Prompt deleted',
  'share link created': 'Share link created',
  'share link revoked': 'Share link revoked',
  'share links ended': 'Share links ended',
  'share password failed': 'Wrong password for a share link',
  'share links mailed': 'Share links mailed to guests',
  'recap mail to guests changed': 'Recaps by mail to guests changed',
  'guest unsubscribed': 'Guest unsubscribed from recaps',
  'notification added': 'Notification added',
  'notification changed': 'Notification changed',
  'notification removed': 'Notification removed',
  'calendar added': 'Calendar added',
  'calendar changed': 'Calendar changed',
  'test mail sent': 'Test mail sent',
  'mail sent again': 'Mail sent again',
  'mail choice changed': 'Choice of mail changed',
  'digest feed created': 'Digest feed created',
  'digest feed removed': 'Digest feed removed',
  'calendar removed': 'Calendar removed',
  'connection added': 'Connection added',
  'connection changed': 'Connection changed',
  'connection removed': 'Connection removed',
}

/** Actors that are neither a user nor a token. */
const OTHER_ACTOR_LABELS: Readonly<Record<string, string>> = {
  'command line': 'Command line',
  upkeep: 'Maintenance',
  nobody: 'Not signed in',
  'sign-in provider': 'Sign-in provider',
}

export const OTHER_ACTORS = Object.entries(OTHER_ACTOR_LABELS).map(([value, label]) => ({
  value,
  label,
}))

/** The name of an actor or object, or its id if it has no name. */
export function auditActorLabel(actor: string, name: string | null): string {
  return name ?? OTHER_ACTOR_LABELS[actor] ?? actor
}

/** The action of an entry. A newer node may write actions that this page does not know. */
export function auditActionLabel(action: string): string {
  return Object.entries(AUDIT_ACTION_LABELS).find(([name]) => name === action)?.[1] ?? action
}
