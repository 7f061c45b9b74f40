/** Operations that the rule below would give a name that programmers don't expect. */
const NAME_OVERRIDES: Readonly<Record<string, string>> = {
  'GET /meetings/{meetingId}/transcript/{format}': 'meetings.transcriptText',
  'GET /meetings/{meetingId}/events': 'meetings.readEvents',
  'GET /meetings/{meetingId}/events/stream': 'meetings.events',
  'POST /meetings/{meetingId}/events/replay': 'meetings.replay',
  'POST /meetings/{meetingId}/recap': 'meetings.makeRecap',
  'POST /meetings/{meetingId}/recap/items': 'meetings.addRecapItem',
  'PATCH /meetings/{meetingId}/recap/items/{itemId}': 'meetings.updateRecapItem',
  'POST /meetings/{meetingId}/comments': 'meetings.addComment',
  'PATCH /meetings/{meetingId}/comments/{commentId}': 'meetings.updateComment',
  'POST /deliveries/failed/replay': 'deliveries.replayFailed',
  'PUT /projects/{projectId}/access': 'projects.setAccess',
  'POST /projects/{projectId}/members': 'projects.setMember',
  'POST /meetings/{meetingId}/shares': 'meetings.share',
  'GET /projects/{projectId}/recap-settings': 'projects.recapSettings',
  'PATCH /projects/{projectId}/recap-settings': 'projects.updateRecapSettings',
  'GET /projects/{projectId}/vocabulary': 'projects.vocabulary',
  'PATCH /projects/{projectId}/vocabulary': 'projects.updateVocabulary',
  'GET /projects/{projectId}/transcript-settings': 'projects.transcriptSettings',
  'PATCH /projects/{projectId}/transcript-settings': 'projects.updateTranscriptSettings',
  'POST /projects/{projectId}/notifications': 'projects.addNotification',
  'POST /projects/{projectId}/notifications/preview': 'projects.previewNotification',
  'POST /projects/{projectId}/notifications/{notificationId}/test': 'projects.testNotification',
  'GET /projects/{projectId}/notifications/{notificationId}/attempts':
    'projects.notificationAttempts',
  'PATCH /projects/{projectId}/notifications/{notificationId}': 'projects.updateNotification',
  'POST /projects/{projectId}/shares': 'projects.shareDocument',
  'POST /tasks/{name}/executions/{executionId}/cancel': 'tasks.cancel',
  'PUT /recordings/{recordingId}/parts/{part}': 'recordings.sendPart',
  'POST /calendars/preview': 'calendars.previewAddress',
  'POST /calendars/{calendarId}/preview': 'calendars.previewWithRules',
  'GET /token': 'token.get',
  'GET /search': 'search.find',
  'POST /ask': 'ask.question',
  // Of the console alone.
  'GET /state': 'console.state',
  'POST /setup': 'setup.finish',
  'POST /sign-in': 'signIn.password',
  'POST /sign-out': 'signIn.end',
  'POST /password-reset': 'passwordReset.finish',
  'POST /identities': 'identities.link',
  'DELETE /sessions': 'sessions.removeOthers',
  'GET /prompt-gallery': 'prompts.gallery',
  'POST /prompt-preview': 'prompts.preview',
  'POST /prompt-trials': 'prompts.try',
  'GET /task-figures': 'tasks.figures',
  'POST /system/bot-accounts': 'system.addBotAccount',
  'POST /system/projects/{projectId}/join': 'system.joinProject',
}
const COLLECTION_VERBS: Readonly<Record<string, string>> = {
  GET: 'list',
  POST: 'create',
  PUT: 'update',
}
const ITEM_VERBS: Readonly<Record<string, string>> = {
  GET: 'get',
  POST: 'create',
  PUT: 'update',
  PATCH: 'update',
  DELETE: 'remove',
}
const SUBRESOURCE_VERBS: Readonly<Record<string, string>> = { PUT: 'save', DELETE: 'remove' }

/**
 * The name of an operation, such as `meetings.start`: its `operationId` in the OpenAPI document and its method in the
 * client. `path` has the notation of that document, without `/api/v1` or `/web`.
 */
export function operationName(method: string, path: string): string {
  const override = NAME_OVERRIDES[`${method} ${path}`]
  if (override !== undefined) return override
  const [group = '', ...rest] = path.split('/').filter((part) => part !== '')
  const words = rest.filter((part) => !part.startsWith('{')).flatMap(splitWords)
  const isItem = rest.at(-1)?.startsWith('{') === true
  // `/projects/{id}/documents/{path}` names one document, so its word is `document`.
  if (isItem && words.length > 0) words.push(singular(words.pop() ?? ''))
  const verb =
    words.length === 0
      ? (isItem ? ITEM_VERBS : COLLECTION_VERBS)[method]
      : SUBRESOURCE_VERBS[method]
  return `${camelCase(splitWords(group))}.${camelCase([...(verb === undefined ? [] : [verb]), ...words])}`
}

/** Makes a name such as `MeetingStatus` from a value such as `meeting_status`. */
export function snakeToPascalCase(value: string): string {
  return value.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())
}

function splitWords(part: string): string[] {
  return part.split('-')
}

function singular(word: string): string {
  return word.replace(/s$/, '')
}

function camelCase([first = '', ...rest]: string[]): string {
  return first + rest.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}
