// Generated from the OpenAPI document by scripts/client-types.ts --write; change the routes, not this file.
import type { CallOptions, Client, ProjectMember, Token } from '../../client/index.js'

export const OPERATIONS = {
  actions: {
    list: { method: 'GET', path: '/web/actions', hasQuery: true },
    update: { method: 'PATCH', path: '/web/actions/{actionId}', sends: 'application/json' },
  },
  ask: {
    question: { method: 'POST', path: '/web/ask', sends: 'application/json' },
    stream: { method: 'POST', path: '/web/ask', sends: 'application/json', streams: 'messages' },
  },
  assistants: {
    allow: { method: 'POST', path: '/web/assistants/allow', sends: 'application/json' },
    review: { method: 'POST', path: '/web/assistants/review', sends: 'application/json' },
  },
  audit: {
    export: { method: 'GET', path: '/web/audit/export', hasQuery: true },
    list: { method: 'GET', path: '/web/audit', hasQuery: true },
  },
  botAccounts: {
    list: { method: 'GET', path: '/web/bot-accounts' },
  },
  calendarAccounts: {
    calendars: { method: 'GET', path: '/web/calendar-accounts/{calendarAccountId}/calendars' },
    create: { method: 'POST', path: '/web/calendar-accounts', sends: 'application/json' },
    list: { method: 'GET', path: '/web/calendar-accounts' },
    remove: { method: 'DELETE', path: '/web/calendar-accounts/{calendarAccountId}' },
  },
  calendarApps: {
    list: { method: 'GET', path: '/web/calendar-apps' },
    remove: { method: 'DELETE', path: '/web/calendar-apps/{provider}' },
    update: { method: 'PUT', path: '/web/calendar-apps/{provider}', sends: 'application/json' },
  },
  calendars: {
    create: { method: 'POST', path: '/web/calendars', sends: 'application/json', takesKey: true },
    get: { method: 'GET', path: '/web/calendars/{calendarId}' },
    list: { method: 'GET', path: '/web/calendars' },
    poll: { method: 'POST', path: '/web/calendars/{calendarId}/poll' },
    preview: { method: 'GET', path: '/web/calendars/{calendarId}/preview' },
    previewAddress: { method: 'POST', path: '/web/calendars/preview', sends: 'application/json' },
    previewWithRules: {
      method: 'POST',
      path: '/web/calendars/{calendarId}/preview',
      sends: 'application/json',
    },
    remove: { method: 'DELETE', path: '/web/calendars/{calendarId}' },
    update: { method: 'PATCH', path: '/web/calendars/{calendarId}', sends: 'application/json' },
  },
  callbacks: {
    test: { method: 'POST', path: '/web/callbacks/test', sends: 'application/json' },
  },
  connections: {
    check: { method: 'POST', path: '/web/connections/{connectionId}/check' },
    create: { method: 'POST', path: '/web/connections', sends: 'application/json', takesKey: true },
    list: { method: 'GET', path: '/web/connections' },
    read: { method: 'POST', path: '/web/connections/{connectionId}/read' },
    remove: { method: 'DELETE', path: '/web/connections/{connectionId}' },
    transcripts: {
      method: 'GET',
      path: '/web/connections/{connectionId}/transcripts',
      hasQuery: true,
    },
    update: { method: 'PATCH', path: '/web/connections/{connectionId}', sends: 'application/json' },
  },
  console: {
    state: { method: 'GET', path: '/web/state' },
  },
  decisions: {
    list: { method: 'GET', path: '/web/decisions', hasQuery: true },
  },
  deliveries: {
    failed: { method: 'GET', path: '/web/deliveries/failed' },
    figures: { method: 'GET', path: '/web/deliveries/figures' },
    get: { method: 'GET', path: '/web/deliveries/{deliveryId}' },
    list: { method: 'GET', path: '/web/deliveries', hasQuery: true },
    receivers: { method: 'GET', path: '/web/deliveries/receivers' },
    replayFailed: { method: 'POST', path: '/web/deliveries/failed/replay' },
    request: { method: 'GET', path: '/web/deliveries/{deliveryId}/request' },
    retry: { method: 'POST', path: '/web/deliveries/retry', sends: 'application/json' },
  },
  events: {
    stream: { method: 'GET', path: '/web/events/stream', hasQuery: true, streams: 'data' },
  },
  executions: {
    get: { method: 'GET', path: '/web/executions/{executionId}' },
    stream: {
      method: 'GET',
      path: '/web/executions/{executionId}/stream',
      hasQuery: true,
      streams: 'messages',
    },
  },
  identities: {
    link: { method: 'POST', path: '/web/identities' },
    remove: { method: 'DELETE', path: '/web/identities/{id}' },
  },
  invitation: {
    accept: { method: 'POST', path: '/web/invitation/accept', sends: 'application/json' },
    check: { method: 'POST', path: '/web/invitation/check', sends: 'application/json' },
  },
  invitations: {
    create: { method: 'POST', path: '/web/invitations', sends: 'application/json' },
    remove: { method: 'DELETE', path: '/web/invitations/{id}' },
  },
  listeners: {
    answers: { method: 'POST', path: '/web/listeners/{name}/answers', sends: 'application/json' },
    stream: {
      method: 'GET',
      path: '/web/listeners/{name}/stream',
      hasQuery: true,
      streams: 'data',
    },
  },
  mail: {
    list: { method: 'GET', path: '/web/mail', hasQuery: true },
    retry: { method: 'POST', path: '/web/mail/{mailId}/retry' },
    status: { method: 'GET', path: '/web/mail/status' },
    test: { method: 'POST', path: '/web/mail/test' },
  },
  marks: {
    list: { method: 'GET', path: '/web/marks' },
    remove: { method: 'DELETE', path: '/web/marks/{kind}/{key}' },
    update: { method: 'PUT', path: '/web/marks/{kind}/{key}' },
  },
  meetings: {
    addComment: {
      method: 'POST',
      path: '/web/meetings/{meetingId}/comments',
      sends: 'application/json',
      takesKey: true,
    },
    addRecapItem: {
      method: 'POST',
      path: '/web/meetings/{meetingId}/recap/items',
      sends: 'application/json',
      takesKey: true,
    },
    bookmarks: { method: 'GET', path: '/web/meetings/{meetingId}/bookmarks' },
    chat: { method: 'GET', path: '/web/meetings/{meetingId}/chat', hasQuery: true },
    comments: { method: 'GET', path: '/web/meetings/{meetingId}/comments' },
    deliveries: { method: 'GET', path: '/web/meetings/{meetingId}/deliveries', hasQuery: true },
    document: { method: 'GET', path: '/web/meetings/{meetingId}/document' },
    edits: { method: 'GET', path: '/web/meetings/{meetingId}/edits' },
    editsUndo: { method: 'POST', path: '/web/meetings/{meetingId}/edits/{editNumber}/undo' },
    events: {
      method: 'GET',
      path: '/web/meetings/{meetingId}/events/stream',
      hasQuery: true,
      streams: 'data',
    },
    evidence: { method: 'GET', path: '/web/meetings/{meetingId}/evidence' },
    evidenceScreenshot: {
      method: 'GET',
      path: '/web/meetings/{meetingId}/evidence/{number}/screenshot',
      isBinary: true,
    },
    get: { method: 'GET', path: '/web/meetings/{meetingId}' },
    import: {
      method: 'POST',
      path: '/web/meetings/import',
      sends: 'application/json',
      takesKey: true,
    },
    link: { method: 'POST', path: '/web/meetings/link', sends: 'application/json' },
    list: { method: 'GET', path: '/web/meetings', hasQuery: true },
    makeRecap: { method: 'POST', path: '/web/meetings/{meetingId}/recap' },
    readEvents: { method: 'GET', path: '/web/meetings/{meetingId}/events', hasQuery: true },
    recap: { method: 'GET', path: '/web/meetings/{meetingId}/recap' },
    remove: { method: 'DELETE', path: '/web/meetings/{meetingId}' },
    removeBookmark: {
      method: 'DELETE',
      path: '/web/meetings/{meetingId}/bookmarks/{segmentNumber}',
    },
    removeComment: { method: 'DELETE', path: '/web/meetings/{meetingId}/comments/{commentId}' },
    removeRecapItem: { method: 'DELETE', path: '/web/meetings/{meetingId}/recap/items/{itemId}' },
    removeShare: { method: 'DELETE', path: '/web/meetings/{meetingId}/shares/{shareId}' },
    replay: {
      method: 'POST',
      path: '/web/meetings/{meetingId}/events/replay',
      sends: 'application/json',
    },
    retry: { method: 'POST', path: '/web/meetings/{meetingId}/retry', sends: 'application/json' },
    saveBookmark: { method: 'PUT', path: '/web/meetings/{meetingId}/bookmarks/{segmentNumber}' },
    share: { method: 'POST', path: '/web/meetings/{meetingId}/shares', sends: 'application/json' },
    shares: { method: 'GET', path: '/web/meetings/{meetingId}/shares' },
    speakersRename: {
      method: 'POST',
      path: '/web/meetings/{meetingId}/speakers/rename',
      sends: 'application/json',
    },
    start: { method: 'POST', path: '/web/meetings/start', sends: 'application/json' },
    status: { method: 'GET', path: '/web/meetings/status' },
    stop: { method: 'POST', path: '/web/meetings/stop', sends: 'application/json' },
    transcript: { method: 'GET', path: '/web/meetings/{meetingId}/transcript', hasQuery: true },
    transcriptText: {
      method: 'GET',
      path: '/web/meetings/{meetingId}/transcript/{format}',
      hasQuery: true,
    },
    update: { method: 'PATCH', path: '/web/meetings/{meetingId}', sends: 'application/json' },
    updateComment: {
      method: 'PATCH',
      path: '/web/meetings/{meetingId}/comments/{commentId}',
      sends: 'application/json',
    },
    updateRecapItem: {
      method: 'PATCH',
      path: '/web/meetings/{meetingId}/recap/items/{itemId}',
      sends: 'application/json',
    },
  },
  notices: {
    list: { method: 'GET', path: '/web/notices' },
    remove: { method: 'DELETE', path: '/web/notices/{notice}' },
  },
  notifications: {
    feed: { method: 'POST', path: '/web/notifications/feed', sends: 'application/json' },
    list: { method: 'GET', path: '/web/notifications' },
    removeFeed: { method: 'DELETE', path: '/web/notifications/feed' },
    update: { method: 'PUT', path: '/web/notifications', sends: 'application/json' },
  },
  passkeys: {
    create: { method: 'POST', path: '/web/passkeys', sends: 'application/json' },
    options: { method: 'POST', path: '/web/passkeys/options' },
    remove: { method: 'DELETE', path: '/web/passkeys/{id}' },
  },
  password: {
    update: { method: 'PUT', path: '/web/password', sends: 'application/json' },
  },
  passwordReset: {
    check: { method: 'POST', path: '/web/password-reset/check', sends: 'application/json' },
    finish: { method: 'POST', path: '/web/password-reset', sends: 'application/json' },
  },
  people: {
    list: { method: 'GET', path: '/web/people' },
  },
  profile: {
    update: { method: 'PUT', path: '/web/profile', sends: 'application/json' },
  },
  projects: {
    access: { method: 'GET', path: '/web/projects/{projectId}/access' },
    addNotification: {
      method: 'POST',
      path: '/web/projects/{projectId}/notifications',
      sends: 'application/json',
      takesKey: true,
    },
    document: { method: 'GET', path: '/web/projects/{projectId}/documents/{path}' },
    documents: { method: 'GET', path: '/web/projects/{projectId}/documents', hasQuery: true },
    list: { method: 'GET', path: '/web/projects', hasQuery: true },
    meetings: { method: 'GET', path: '/web/projects/{projectId}/meetings', hasQuery: true },
    members: { method: 'GET', path: '/web/projects/{projectId}/members' },
    notificationAttempts: {
      method: 'GET',
      path: '/web/projects/{projectId}/notifications/{notificationId}/attempts',
    },
    notifications: { method: 'GET', path: '/web/projects/{projectId}/notifications' },
    previewNotification: {
      method: 'POST',
      path: '/web/projects/{projectId}/notifications/preview',
      sends: 'application/json',
    },
    recapSettings: { method: 'GET', path: '/web/projects/{projectId}/recap-settings' },
    removeDocument: { method: 'DELETE', path: '/web/projects/{projectId}/documents/{path}' },
    removeMember: { method: 'DELETE', path: '/web/projects/{projectId}/members/{userId}' },
    removeNotification: {
      method: 'DELETE',
      path: '/web/projects/{projectId}/notifications/{notificationId}',
    },
    removeShare: { method: 'DELETE', path: '/web/projects/{projectId}/shares/{shareId}' },
    saveDocument: {
      method: 'PUT',
      path: '/web/projects/{projectId}/documents/{path}',
      sends: 'text/markdown',
    },
    setAccess: {
      method: 'PUT',
      path: '/web/projects/{projectId}/access',
      sends: 'application/json',
    },
    setMember: {
      method: 'POST',
      path: '/web/projects/{projectId}/members',
      sends: 'application/json',
    },
    shareDocument: {
      method: 'POST',
      path: '/web/projects/{projectId}/shares',
      sends: 'application/json',
    },
    shares: { method: 'GET', path: '/web/projects/{projectId}/shares', hasQuery: true },
    testNotification: {
      method: 'POST',
      path: '/web/projects/{projectId}/notifications/{notificationId}/test',
    },
    transcriptSettings: { method: 'GET', path: '/web/projects/{projectId}/transcript-settings' },
    updateNotification: {
      method: 'PATCH',
      path: '/web/projects/{projectId}/notifications/{notificationId}',
      sends: 'application/json',
    },
    updateRecapSettings: {
      method: 'PATCH',
      path: '/web/projects/{projectId}/recap-settings',
      sends: 'application/json',
    },
    updateTranscriptSettings: {
      method: 'PATCH',
      path: '/web/projects/{projectId}/transcript-settings',
      sends: 'application/json',
    },
    updateVocabulary: {
      method: 'PATCH',
      path: '/web/projects/{projectId}/vocabulary',
      sends: 'application/json',
    },
    vocabulary: { method: 'GET', path: '/web/projects/{projectId}/vocabulary' },
  },
  promptFiles: {
    get: { method: 'GET', path: '/web/prompt-files/{path}' },
    remove: { method: 'DELETE', path: '/web/prompt-files/{path}' },
    update: { method: 'PUT', path: '/web/prompt-files/{path}', sends: 'application/json' },
  },
  prompts: {
    gallery: { method: 'GET', path: '/web/prompt-gallery' },
    list: { method: 'GET', path: '/web/prompts' },
    preview: { method: 'POST', path: '/web/prompt-preview', sends: 'application/json' },
    try: { method: 'POST', path: '/web/prompt-trials', sends: 'application/json' },
  },
  provisioning: {
    groups: { method: 'GET', path: '/web/provisioning/groups', hasQuery: true },
    list: { method: 'GET', path: '/web/provisioning' },
    removeToken: { method: 'DELETE', path: '/web/provisioning/tokens/{id}' },
    saveGroupsRole: {
      method: 'PUT',
      path: '/web/provisioning/groups/{id}/role',
      sends: 'application/json',
    },
    tokens: { method: 'POST', path: '/web/provisioning/tokens', sends: 'application/json' },
    update: { method: 'PUT', path: '/web/provisioning', sends: 'application/json' },
  },
  recordings: {
    create: { method: 'POST', path: '/web/recordings', sends: 'application/json' },
    get: { method: 'GET', path: '/web/recordings/{recordingId}' },
    list: { method: 'GET', path: '/web/recordings' },
    remove: { method: 'DELETE', path: '/web/recordings/{recordingId}' },
    sendPart: {
      method: 'PUT',
      path: '/web/recordings/{recordingId}/parts/{part}',
      sends: 'application/octet-stream',
    },
  },
  search: {
    find: { method: 'GET', path: '/web/search', hasQuery: true },
  },
  sessions: {
    list: { method: 'GET', path: '/web/sessions' },
    remove: { method: 'DELETE', path: '/web/sessions/{id}' },
    removeOthers: { method: 'DELETE', path: '/web/sessions' },
  },
  setup: {
    finish: { method: 'POST', path: '/web/setup', sends: 'application/json' },
  },
  signIn: {
    end: { method: 'POST', path: '/web/sign-out' },
    passkey: { method: 'POST', path: '/web/sign-in/passkey', sends: 'application/json' },
    passkeyOptions: { method: 'POST', path: '/web/sign-in/passkey/options' },
    password: { method: 'POST', path: '/web/sign-in', sends: 'application/json' },
    provider: { method: 'POST', path: '/web/sign-in/provider', sends: 'application/json' },
  },
  signInMethods: {
    list: { method: 'GET', path: '/web/sign-in-methods' },
  },
  system: {
    addBotAccount: { method: 'POST', path: '/web/system/bot-accounts', sends: 'application/json' },
    botAccounts: { method: 'GET', path: '/web/system/bot-accounts' },
    check: { method: 'POST', path: '/web/system/checks/{name}' },
    checks: { method: 'GET', path: '/web/system/checks' },
    joinProject: {
      method: 'POST',
      path: '/web/system/projects/{projectId}/join',
      sends: 'application/json',
    },
    models: { method: 'GET', path: '/web/system/models' },
    modelsCheck: { method: 'POST', path: '/web/system/models/check', sends: 'application/json' },
    nodes: { method: 'GET', path: '/web/system/nodes' },
    projects: { method: 'GET', path: '/web/system/projects' },
    removeBotAccount: { method: 'DELETE', path: '/web/system/bot-accounts/{name}' },
    speech: { method: 'GET', path: '/web/system/speech' },
    speechInstall: { method: 'POST', path: '/web/system/speech/install' },
    speechRemove: { method: 'POST', path: '/web/system/speech/remove' },
    storage: { method: 'GET', path: '/web/system/storage' },
    versions: { method: 'GET', path: '/web/system/versions' },
  },
  tasks: {
    cancel: { method: 'POST', path: '/web/tasks/{name}/executions/{executionId}/cancel' },
    create: { method: 'POST', path: '/web/tasks', sends: 'application/json', takesKey: true },
    disable: { method: 'POST', path: '/web/tasks/{name}/disable' },
    enable: { method: 'POST', path: '/web/tasks/{name}/enable' },
    figures: { method: 'GET', path: '/web/task-figures', hasQuery: true },
    get: { method: 'GET', path: '/web/tasks/{name}' },
    history: { method: 'GET', path: '/web/tasks/{name}/history', hasQuery: true },
    list: { method: 'GET', path: '/web/tasks', hasQuery: true },
    remove: { method: 'DELETE', path: '/web/tasks/{name}' },
    run: { method: 'POST', path: '/web/tasks/{name}/run', takesKey: true },
    takeOver: { method: 'POST', path: '/web/tasks/{name}/take-over' },
    update: { method: 'PUT', path: '/web/tasks/{name}', sends: 'application/json' },
  },
  tokens: {
    create: { method: 'POST', path: '/web/tokens', sends: 'application/json' },
    list: { method: 'GET', path: '/web/tokens' },
    nextSecret: { method: 'POST', path: '/web/tokens/{id}/next-secret' },
    nextSecretActivate: { method: 'POST', path: '/web/tokens/{id}/next-secret/activate' },
    remove: { method: 'DELETE', path: '/web/tokens/{id}', hasQuery: true },
    removeNextSecret: { method: 'DELETE', path: '/web/tokens/{id}/next-secret' },
  },
  upcoming: {
    brief: { method: 'GET', path: '/web/upcoming/{upcomingId}/brief' },
    list: { method: 'GET', path: '/web/upcoming', hasQuery: true },
    update: { method: 'PATCH', path: '/web/upcoming/{upcomingId}', sends: 'application/json' },
  },
  usage: {
    csv: { method: 'GET', path: '/web/usage/csv', hasQuery: true },
    list: { method: 'GET', path: '/web/usage', hasQuery: true },
  },
  users: {
    remove: { method: 'DELETE', path: '/web/users/{id}', hasQuery: true },
    resetLink: { method: 'POST', path: '/web/users/{id}/reset-link' },
    update: { method: 'PUT', path: '/web/users/{id}', sends: 'application/json' },
  },
} as const

export interface AssistantsAllowBody {
  ticket: string
  canWrite: boolean
  /** Without it, all projects */
  projects?: string[] | undefined
}

export interface AssistantsAllowAnswer {
  /** Where the browser goes with the consent */
  redirectUrl: string
  /** Fields of the request that were ignored, with the most similar known name, and other warnings */
  warnings?: {
    path: string
    message: string
  }[] | undefined
}

export interface AssistantsReviewBody {
  /** The parameter of the page: the query of the assistant’s request, in base64url */
  request: string
}

export interface AssistantsReviewAnswer {
  assistant: {
    name: string
    /** Where the browser goes with the answer */
    host: string
    /** Whether that is the machine of the person */
    isOnThisMachine: boolean
    /** True if that host also publishes the name */
    isVerified: boolean
  }
  /** Whether the assistant asks for more than reading */
  canWrite: boolean
  /** Proves what was shown; null when there is a problem */
  ticket: string | null
  /** What the assistant did wrong */
  problem: string | null
  /** Where the browser goes without consent */
  refuseUrl: string
  /** Fields of the request that were ignored, with the most similar known name, and other warnings */
  warnings?: {
    path: string
    message: string
  }[] | undefined
}

export interface CalendarAccountsCreateBody {
  provider: 'microsoft' | 'google'
  accountId?: string | undefined
}

export interface CalendarAccountsCreateAnswer {
  url: string
  /** Fields of the request that were ignored, with the most similar known name, and other warnings */
  warnings?: {
    path: string
    message: string
  }[] | undefined
}

export interface CallbacksTestBody {
  /** URL that receives the test event */
  callbackUrl?: string | undefined
  /** Send to the callback URL of this meeting instead */
  meetingId?: string | undefined
  tokenId?: string | undefined
}

export interface CallbacksTestAnswer {
  deliveryId: string
  /** Whether the receiver responded with a 2xx status */
  delivered: boolean
  /** HTTP status of the response; null when there was none */
  status: number | null
  /** Why there was no complete response */
  error:
    | 'dns_error'
    | 'connection_refused'
    | 'connection_reset'
    | 'timeout'
    | 'tls_error'
    | 'blocked_address'
    | 'bad_answer'
    | null
  /** Why it failed, for people; null when it did not */
  problem:
    | {
    /** The status of the response, or why there was none */
    label: string
    /** What it usually means */
    hint: string
  }
    | null
  /** The first 2 KiB of the response body, or a note that the body of a receiver at a private address is not shown */
  answer: string
  durationMs: number
  /** Fields of the request that were ignored, with the most similar known name, and other warnings */
  warnings?: {
    path: string
    message: string
  }[] | undefined
}

export interface ConsoleStateAnswer {
  version: string
  setupNeeded: boolean
  user:
    | {
    id: string
    name: string
    email: string
    role: 'admin' | 'member'
    createdAt: string
    deactivatedAt: string | null
  }
    | null
  /** Send it as X-CSRF-Token with every change */
  csrfToken: string | null
  signIn: {
    /** Whether people can sign in with a password or a passkey */
    hasLocal: boolean
    /** Name of the sign-in provider */
    provider: string | null
    /** Whether passkeys work at this address */
    hasPasskeys: boolean
  }
  /** Access of the projects that people create */
  newProjectAccess: 'team' | 'private'
  /** Whether this instance can send mail */
  hasMail: boolean
  /** Whether bots can recognize speech, at least English */
  hasSpeech: boolean
}

export interface DeliveriesFiguresAnswer {
  since: string
  delivered: number
  /** Attempts that delivered no event */
  failed: number
  medianMs: number | null
  p95Ms: number | null
  hours: {
    at: string
    delivered: number
    failed: number
  }[]
}

export interface DeliveriesRequestAnswer {
  url: string
  headers: Record<string, string>
  body: string
}

export interface IdentitiesLinkAnswer {
  /** Page of the provider to open in this browser */
  url: string
  /** Fields of the request that were ignored, with the most similar known name, and other warnings */
  warnings?: {
    path: string
    message: string
  }[] | undefined
}

export interface IdentitiesRemoveAnswer {
  success: true
}

export interface InvitationAcceptBody {
  code: string
  name: string
  email: string
  password: string
}

export interface InvitationAcceptAnswer {
  user: {
    id: string
    name: string
    email: string
    role: 'admin' | 'member'
    createdAt: string
    deactivatedAt: string | null
  }
  csrfToken: string
  /** Fields of the request that were ignored, with the most similar known name, and other warnings */
  warnings?: {
    path: string
    message: string
  }[] | undefined
}

export interface InvitationCheckBody {
  code: string
}

export interface InvitationCheckAnswer {
  invitation: {
    id: string
    email: string | null
    role: 'admin' | 'member'
    createdAt: string
    expiresAt: string
  }
  /** Fields of the request that were ignored, with the most similar known name, and other warnings */
  warnings?: {
    path: string
    message: string
  }[] | undefined
}

export interface InvitationsCreateBody {
  email?: string | undefined
  /** default "member" */
  role?: 'admin' | 'member' | undefined
}

export interface InvitationsCreateAnswer {
  /** Whether the link is mailed to the person too */
  isMailed: boolean
  invitation: {
    id: string
    email: string | null
    role: 'admin' | 'member'
    createdAt: string
    expiresAt: string
  }
  /** Shown once */
  link: string
  /** Fields of the request that were ignored, with the most similar known name, and other warnings */
  warnings?: {
    path: string
    message: string
  }[] | undefined
}

export interface InvitationsRemoveAnswer {
  success: true
}

export interface MailTestAnswer {
  success: true
}

export interface MarksListAnswer {
  marks: {
    kind: 'get_started' | 'attention'
    key: string
    at: string
  }[]
}

export interface MarksRemoveAnswer {
  success: true
}

export interface MarksUpdateAnswer {
  success: true
}

export interface MeetingsLinkBody {
  /** Meeting URL on a supported platform */
  url: string
}

export interface MeetingsLinkAnswer {
  platform: 'google_meet' | 'microsoft_teams' | 'galene' | 'livekit' | 'zoom' | 'practice'
  label: string
  /** Active meetings with the same link */
  others: string[]
  /** Fields of the request that were ignored, with the most similar known name, and other warnings */
  warnings?: {
    path: string
    message: string
  }[] | undefined
}

export interface MeetingsRetryBody {
  /** Name of another bot account; null for a guest. Without it, as before */
  account?: string | null | undefined
  /** Send no callbacks this time */
  withoutCallbacks?: boolean | undefined
}

export interface MeetingsRetryAnswer {
  meetingId: string
  status:
    | 'scheduled'
    | 'awaiting_transcript'
    | 'joining'
    | 'lobby'
    | 'live'
    | 'stopping'
    | 'leaving'
    | 'ended'
    | 'error'
  platform: 'google_meet' | 'microsoft_teams' | 'galene' | 'livekit' | 'zoom' | 'practice'
  project: string
  /** Null when no document is saved, and while the meeting is scheduled */
  documentPath: string | null
  /** When the bot was asked to join; null when the meeting was started at once */
  joinAt: string | null
  /** Fields of the request that were ignored, with the most similar known name, and other warnings */
  warnings?: {
    path: string
    message: string
  }[] | undefined
}

export interface MeetingsStartBody {
  /** Meeting URL on a supported platform */
  url: string
  /** Label for the meeting */
  title?: string | undefined
  /** When the bot joins, at most 90 days ahead; without it the bot joins now */
  joinAt?: string | undefined
  callbackUrl?: string | undefined
  /** Project to save the transcript into; letters, digits, spaces, dots, hyphens and underscores; default "api" */
  project?: string | undefined
  /** Save a transcript document in the project; default true */
  saveTranscript?: boolean | undefined
  /** Language of the captions; default that of the platform */
  language?: string | undefined
  /** Language in which a language model writes the recap; default that of the project, or the setting HANSARD_RECAP_LANGUAGE */
  recapLanguage?: string | undefined
  /** When the bot recognizes speech itself: `fallback` where captions are missing or in another language, `always` instead of captions; default "fallback" */
  speech?: 'off' | 'fallback' | 'always' | undefined
  /** What the transcript is made of. `bot`: what a bot records; `official`: the official transcript, without a bot; `both`: a bot, completed by the official transcript. The last two need a connection; default "bot" */
  capture?: 'bot' | 'official' | 'both' | undefined
  /** The name the bot joins with; default the setting HANSARD_BOT_NAME */
  botName?: string | undefined
  /** Name of the bot account to join with; without it the bot joins as a guest */
  account?: string | undefined
  /** Report coaching insights; default true */
  coach?: boolean | undefined
  /** Event types to send to the callback URL; default all but `brief_ready` and those about the recap */
  events?: Array<'meeting_status' | 'caption_partial' | 'segment_finalized' | 'coach_insight' | 'participant_joined' | 'participant_left' | 'document_saved' | 'brief_ready' | 'transcript_changed' | 'recap_ready' | 'decision_recorded' | 'action_created' | 'action_changed'> | undefined
  /** After how many seconds the bot leaves; defaults are the settings HANSARD_LEAVE_… */
  leave?: {
    /** Seconds in the lobby */
    lobbyTimeout?: number | undefined
    /** Seconds until the meeting starts */
    hostTimeout?: number | undefined
    /** Seconds while no one else joins */
    nobodyJoined?: number | undefined
    /** Seconds after everyone else has left */
    everyoneLeft?: number | undefined
    /** Seconds without any speech; null: never */
    silence?: number | null | undefined
    /** Seconds in the meeting altogether */
    maxDuration?: number | undefined
  } | undefined
  /** What the bot does with the meeting chat */
  chat?: {
    /** Posted when the bot is admitted; `{name}` becomes its name; null: nothing. Default the setting HANSARD_CHAT_NOTICE */
    notice?: string | null | undefined
    /** Whether “hansard leave”, “hansard pause” and “hansard resume” in the chat are obeyed; default true */
    commands?: boolean | undefined
    /** Whether the chat messages are stored with the meeting; default false */
    store?: boolean | undefined
  } | undefined
  tokenId?: string | undefined
}

export interface MeetingsStartAnswer {
  meetingId: string
  status:
    | 'scheduled'
    | 'awaiting_transcript'
    | 'joining'
    | 'lobby'
    | 'live'
    | 'stopping'
    | 'leaving'
    | 'ended'
    | 'error'
  platform: 'google_meet' | 'microsoft_teams' | 'galene' | 'livekit' | 'zoom' | 'practice'
  project: string
  /** Null when no document is saved, and while the meeting is scheduled */
  documentPath: string | null
  /** When the bot was asked to join; null when the meeting was started at once */
  joinAt: string | null
  /** Fields of the request that were ignored, with the most similar known name, and other warnings */
  warnings?: {
    path: string
    message: string
  }[] | undefined
}

export interface NoticesListAnswer {
  notices: 'private_projects'[]
}

export interface NoticesRemoveAnswer {
  success: true
}

export interface NotificationsFeedBody {
  /** Used if the user has not chosen one yet */
  timeZone: string
}

export interface NotificationsFeedAnswer {
  /** The secret address of the feed, which is returned only once */
  url: string
  /** Fields of the request that were ignored, with the most similar known name, and other warnings */
  warnings?: {
    path: string
    message: string
  }[] | undefined
}

export interface NotificationsListAnswer {
  /** Which of the recaps that projects mail the user wants */
  recapMail: 'all' | 'took_part' | 'none'
  digest: {
    /** How often a digest is mailed */
    frequency: 'none' | 'daily' | 'weekly'
    /** Day of a weekly digest */
    weekday: 'sunday' | 'monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday'
    /** Hour at which it is mailed, in the time zone */
    hour: number
    /** IANA time zone; null if none was chosen yet */
    timeZone: string | null
  }
  /** Null for no briefs */
  briefMinutes: number | null
  /** The digest as a feed; null without one */
  feed: {
    /** When its address was created */
    createdAt: string
  } | null
  /** Fields of the request that were ignored, with the most similar known name, and other warnings */
  warnings?: {
    path: string
    message: string
  }[] | undefined
}

export interface NotificationsRemoveFeedAnswer {
  /** Which of the recaps that projects mail the user wants */
  recapMail: 'all' | 'took_part' | 'none'
  digest: {
    /** How often a digest is mailed */
    frequency: 'none' | 'daily' | 'weekly'
    /** Day of a weekly digest */
    weekday: 'sunday' | 'monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday'
    /** Hour at which it is mailed, in the time zone */
    hour: number
    /** IANA time zone; null if none was chosen yet */
    timeZone: string | null
  }
  /** Null for no briefs */
  briefMinutes: number | null
  /** The digest as a feed; null without one */
  feed: {
    /** When its address was created */
    createdAt: string
  } | null
  /** Fields of the request that were ignored, with the most similar known name, and other warnings */
  warnings?: {
    path: string
    message: string
  }[] | undefined
}

export interface NotificationsUpdateBody {
  /** Which of the recaps that projects mail the user wants */
  recapMail?: 'all' | 'took_part' | 'none' | undefined
  digest?: {
    /** How often a digest is mailed */
    frequency: 'none' | 'daily' | 'weekly'
    /** Day of a weekly digest */
    weekday: 'sunday' | 'monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday'
    /** Hour at which it is mailed, in the time zone */
    hour: number
    timeZone: string
  } | undefined
  /** How many minutes before their meetings the user gets a brief; null for none */
  briefMinutes?: 15 | 30 | 60 | 120 | null | undefined
}

export interface NotificationsUpdateAnswer {
  /** Which of the recaps that projects mail the user wants */
  recapMail: 'all' | 'took_part' | 'none'
  digest: {
    /** How often a digest is mailed */
    frequency: 'none' | 'daily' | 'weekly'
    /** Day of a weekly digest */
    weekday: 'sunday' | 'monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday'
    /** Hour at which it is mailed, in the time zone */
    hour: number
    /** IANA time zone; null if none was chosen yet */
    timeZone: string | null
  }
  /** Null for no briefs */
  briefMinutes: number | null
  /** The digest as a feed; null without one */
  feed: {
    /** When its address was created */
    createdAt: string
  } | null
  /** Fields of the request that were ignored, with the most similar known name, and other warnings */
  warnings?: {
    path: string
    message: string
  }[] | undefined
}

export interface PasskeysCreateBody {
  name: string
  response: {
    id: string
    rawId: string
    type: 'public-key'
    clientExtensionResults: Record<string, never>
    response: {
      clientDataJSON: string
      attestationObject: string
      /** default [] */
      transports?: string[] | undefined
    }
  }
}

export interface PasskeysCreateAnswer {
  passkey: {
    id: string
    name: string
    createdAt: string
    lastUsedAt: string | null
  }
  /** Fields of the request that were ignored, with the most similar known name, and other warnings */
  warnings?: {
    path: string
    message: string
  }[] | undefined
}

export interface PasskeysOptionsAnswer {
  options: {
    challenge: string
  }
  /** Fields of the request that were ignored, with the most similar known name, and other warnings */
  warnings?: {
    path: string
    message: string
  }[] | undefined
}

export interface PasskeysRemoveAnswer {
  success: true
}

export interface PasswordUpdateBody {
  currentPassword: string
  newPassword: string
}

export interface PasswordUpdateAnswer {
  user: {
    id: string
    name: string
    email: string
    role: 'admin' | 'member'
    createdAt: string
    deactivatedAt: string | null
  }
  csrfToken: string
  /** Fields of the request that were ignored, with the most similar known name, and other warnings */
  warnings?: {
    path: string
    message: string
  }[] | undefined
}

export interface PasswordResetCheckBody {
  code: string
}

export interface PasswordResetCheckAnswer {
  name: string
  email: string
  /** Fields of the request that were ignored, with the most similar known name, and other warnings */
  warnings?: {
    path: string
    message: string
  }[] | undefined
}

export interface PasswordResetFinishBody {
  code: string
  password: string
}

export interface PasswordResetFinishAnswer {
  user: {
    id: string
    name: string
    email: string
    role: 'admin' | 'member'
    createdAt: string
    deactivatedAt: string | null
  }
  csrfToken: string
  /** Fields of the request that were ignored, with the most similar known name, and other warnings */
  warnings?: {
    path: string
    message: string
  }[] | undefined
}

export interface PeopleListAnswer {
  users: {
    id: string
    name: string
    email: string
    role: 'admin' | 'member'
    createdAt: string
    deactivatedAt: string | null
    /** API tokens of this user that are still valid */
    liveTokens: number
    /** Those of them that stay valid when the user is removed */
    liveServiceTokens: number
  }[]
  invitations: {
    id: string
    email: string | null
    role: 'admin' | 'member'
    createdAt: string
    expiresAt: string
  }[]
}

export interface ProfileUpdateBody {
  name: string
}

export interface ProfileUpdateAnswer {
  user: {
    id: string
    name: string
    email: string
    role: 'admin' | 'member'
    createdAt: string
    deactivatedAt: string | null
  }
  /** Fields of the request that were ignored, with the most similar known name, and other warnings */
  warnings?: {
    path: string
    message: string
  }[] | undefined
}

export interface PromptFilesGetAnswer {
  prompt: {
    name: string
    text: string
    etag: string
    refusal: 'built_in' | 'not_author' | 'used_by_others' | null
    authorName: string | null
    tasks: string[]
    hasHiddenTasks: boolean
  }
}

export interface PromptFilesRemoveAnswer {
  success: true
}

export interface PromptFilesUpdateBody {
  text: string
}

export interface PromptFilesUpdateAnswer {
  name: string
  etag: string
  /** Fields of the request that were ignored, with the most similar known name, and other warnings */
  warnings?: {
    path: string
    message: string
  }[] | undefined
}

export interface PromptsGalleryAnswer {
  prompts: {
    name: string
    description: string | null
    model: string | null
    builtin: string | null
    project: string | null
    tools: string[]
    variables: string[]
    problems: {
      path: string
      message: string
    }[]
    modelProblem: string | null
    isBuiltIn: boolean
    refusal: 'built_in' | 'not_author' | 'used_by_others' | null
    authorName: string | null
    tasks: string[]
    hasHiddenTasks: boolean
  }[]
  admins: string[]
}

export interface PromptsPreviewBody {
  text: string
  meetingId?: string | undefined
}

export interface PromptsPreviewAnswer {
  notes: {
    severity: 'error' | 'warning'
    line: number | null
    message: string
  }[]
  variables: string[]
  modelProblem: string | null
  rendered: {
    text: string
    length: number
    tokens: number
  } | null
  failure: string | null
  /** Fields of the request that were ignored, with the most similar known name, and other warnings */
  warnings?: {
    path: string
    message: string
  }[] | undefined
}

export interface PromptsTryBody {
  promptName: string
}

export interface PromptsTryAnswer {
  executionId: string
  /** Fields of the request that were ignored, with the most similar known name, and other warnings */
  warnings?: {
    path: string
    message: string
  }[] | undefined
}

export interface ProvisioningGroupsQuery {
  search?: string | undefined
}

export interface ProvisioningGroupsAnswer {
  groups: {
    id: string
    displayName: string
    memberCount: number
    updatedAt: string
    roles: {
      project: string
      role: 'reader' | 'editor'
    }[]
  }[]
  total: number
}

export interface ProvisioningListAnswer {
  isOn: boolean
  revokesServiceTokens: boolean
  url: string
  tokens: {
    id: string
    name: string
    last4: string
    createdAt: string
    lastUsedAt: string | null
  }[]
}

export interface ProvisioningRemoveTokenAnswer {
  success: true
}

export interface ProvisioningSaveGroupsRoleBody {
  project: string
  role: 'reader' | 'editor' | null
}

export interface ProvisioningSaveGroupsRoleAnswer {
  success: true
  /** Fields of the request that were ignored, with the most similar known name, and other warnings */
  warnings?: {
    path: string
    message: string
  }[] | undefined
}

export interface ProvisioningTokensBody {
  name: string
}

export interface ProvisioningTokensAnswer {
  token: {
    id: string
    name: string
    last4: string
    createdAt: string
    lastUsedAt: string | null
  }
  secret: string
  /** Fields of the request that were ignored, with the most similar known name, and other warnings */
  warnings?: {
    path: string
    message: string
  }[] | undefined
}

export interface ProvisioningUpdateBody {
  isOn?: boolean | undefined
  revokesServiceTokens?: boolean | undefined
}

export interface ProvisioningUpdateAnswer {
  isOn: boolean
  revokesServiceTokens: boolean
  /** Fields of the request that were ignored, with the most similar known name, and other warnings */
  warnings?: {
    path: string
    message: string
  }[] | undefined
}

export interface SessionsListAnswer {
  sessions: {
    id: string
    createdAt: string
    lastSeenAt: string
    ip: string
    userAgent: string
    isCurrent: boolean
  }[]
}

export interface SessionsRemoveAnswer {
  success: true
}

export interface SessionsRemoveOthersAnswer {
  success: true
}

export interface SetupFinishBody {
  code: string
  name: string
  email: string
  password: string
}

export interface SetupFinishAnswer {
  user: {
    id: string
    name: string
    email: string
    role: 'admin' | 'member'
    createdAt: string
    deactivatedAt: string | null
  }
  csrfToken: string
  /** Fields of the request that were ignored, with the most similar known name, and other warnings */
  warnings?: {
    path: string
    message: string
  }[] | undefined
}

export interface SignInEndAnswer {
  success: true
  /** Page of the provider that ends the session there; null when there is none */
  providerUrl: string | null
}

export interface SignInPasskeyBody {
  response: {
    id: string
    rawId: string
    type: 'public-key'
    clientExtensionResults: Record<string, never>
    response: {
      clientDataJSON: string
      authenticatorData: string
      signature: string
      userHandle?: string | undefined
    }
  }
}

export interface SignInPasskeyAnswer {
  user: {
    id: string
    name: string
    email: string
    role: 'admin' | 'member'
    createdAt: string
    deactivatedAt: string | null
  }
  csrfToken: string
  /** Fields of the request that were ignored, with the most similar known name, and other warnings */
  warnings?: {
    path: string
    message: string
  }[] | undefined
}

export interface SignInPasskeyOptionsAnswer {
  options: {
    challenge: string
  }
  /** Fields of the request that were ignored, with the most similar known name, and other warnings */
  warnings?: {
    path: string
    message: string
  }[] | undefined
}

export interface SignInPasswordBody {
  email: string
  password: string
}

export interface SignInPasswordAnswer {
  user: {
    id: string
    name: string
    email: string
    role: 'admin' | 'member'
    createdAt: string
    deactivatedAt: string | null
  }
  csrfToken: string
  /** Fields of the request that were ignored, with the most similar known name, and other warnings */
  warnings?: {
    path: string
    message: string
  }[] | undefined
}

export interface SignInProviderBody {
  /** Path to open after the sign-in */
  next?: string | undefined
}

export interface SignInProviderAnswer {
  /** Page of the provider to open in this browser */
  url: string
  /** Fields of the request that were ignored, with the most similar known name, and other warnings */
  warnings?: {
    path: string
    message: string
  }[] | undefined
}

export interface SignInMethodsListAnswer {
  hasPassword: boolean
  identities: {
    id: string
    issuer: string
    email: string | null
    createdAt: string
    lastUsedAt: string | null
  }[]
  passkeys: {
    id: string
    name: string
    createdAt: string
    lastUsedAt: string | null
  }[]
}

export interface SystemAddBotAccountBody {
  name: string
  platform: 'google_meet' | 'microsoft_teams'
  limit?: number | undefined
  /** A Playwright storage state, as text */
  state: string
}

export interface SystemAddBotAccountAnswer {
  isNew: boolean
  /** Whether its cookies look like those of a signed-in account */
  isSignedIn: boolean
  /** Fields of the request that were ignored, with the most similar known name, and other warnings */
  warnings?: {
    path: string
    message: string
  }[] | undefined
}

export interface SystemBotAccountsAnswer {
  botAccounts: {
    /** The value of `account` when a meeting is started */
    name: string
    platform: 'google_meet' | 'microsoft_teams' | 'galene' | 'livekit' | 'zoom' | 'practice'
    /** How many bots may use it at the same time, over all nodes */
    limit: number
    /** How many bots use it now */
    inUse: number
    addedAt: string
    lastUsedAt: string | null
    /** When a bot last saved renewed cookies */
    refreshedAt: string | null
    ok: boolean
    /** Result of the check */
    detail: string
  }[]
}

export interface SystemCheckAnswer {
  name: string
  ok: boolean
  detail: string
  /** How to fix it */
  fix?: string | undefined
}

export interface SystemChecksAnswer {
  checks: {
    name: string
    /** Whether the check takes about half a minute */
    isDeep: boolean
  }[]
}

export interface SystemJoinProjectBody {
  /** `reader`: reads; `editor`: also changes; `owner`: also decides who may; default "reader" */
  role?: 'reader' | 'editor' | 'owner' | undefined
}

export interface SystemJoinProjectAnswer {
  member: ProjectMember
  /** Fields of the request that were ignored, with the most similar known name, and other warnings */
  warnings?: {
    path: string
    message: string
  }[] | undefined
}

export interface SystemModelsAnswer {
  defaultModel: string | null
  coachModel: string | null
  /** Makes recaps; null when they are made by rules */
  recapModel: string | null
  /** Answers questions; null when no model does */
  askModel: string | null
  providers: {
    name: string
    isConfigured: boolean
    keySetting: string
  }[]
}

export interface SystemModelsCheckBody {
  model: string
}

export interface SystemModelsCheckAnswer {
  ok: boolean
  detail: string
  durationMs: number
  /** Fields of the request that were ignored, with the most similar known name, and other warnings */
  warnings?: {
    path: string
    message: string
  }[] | undefined
}

export interface SystemNodesAnswer {
  nodes: {
    id: string
    /** Whether this node sent the response */
    isThis: boolean
    isAlive: boolean
    beatAt: string
    /** How many bots it can run */
    bots: number
    /** What the node does, see HANSARD_ROLES */
    roles: Array<'api' | 'bots' | 'tasks'>
    /** How many meetings it attends */
    meetings: number
  }[]
}

export interface SystemProjectsAnswer {
  projects: {
    id: string
    /** `team`: every user of the instance; `private`: only its members */
    access: 'team' | 'private'
    /** Names */
    owners: string[]
    memberCount: number
    /** Whether the signed-in admin is a member */
    isMember: boolean
  }[]
}

export interface SystemRemoveBotAccountAnswer {
  success: true
}

export interface SystemSpeechAnswer {
  isOn: boolean
  state: 'installed' | 'absent' | 'outdated' | 'damaged'
  runtime: 'native' | 'webassembly' | null
  sizeBytes: number
  problem: string | null
  endpointUrl: string | null
  installation: {
    phase: 'none' | 'running' | 'done' | 'failed'
    detail: string | null
    fix: string | null
  }
}

export interface SystemSpeechInstallAnswer {
  isOn: boolean
  state: 'installed' | 'absent' | 'outdated' | 'damaged'
  runtime: 'native' | 'webassembly' | null
  sizeBytes: number
  problem: string | null
  endpointUrl: string | null
  installation: {
    phase: 'none' | 'running' | 'done' | 'failed'
    detail: string | null
    fix: string | null
  }
}

export interface SystemSpeechRemoveAnswer {
  isOn: boolean
  state: 'installed' | 'absent' | 'outdated' | 'damaged'
  runtime: 'native' | 'webassembly' | null
  sizeBytes: number
  problem: string | null
  endpointUrl: string | null
  installation: {
    phase: 'none' | 'running' | 'done' | 'failed'
    detail: string | null
    fix: string | null
  }
}

export interface SystemStorageAnswer {
  folder: string
  database: string
  /** Where documents and prompts are */
  documentPlace: 'folder' | 'database'
  freeDiskMb: number
  minFreeDiskMb: number
  databaseBytes: number
  meetings: number
  documents: {
    count: number
    bytes: number
  }
  evidence: {
    count: number
    bytes: number
  }
  lastBackup: {
    at: string
    file: string | null
  } | null
}

export interface SystemVersionsAnswer {
  service: string
  node: string
  postgres: string
  browser: string | null
  /** sandbox: the sandbox of the browser is on; account: it is off, but the browser does not run as root; none: neither */
  browserIsolation: 'sandbox' | 'account' | 'none' | null
}

export interface TasksFiguresQuery {
  of: string
}

export interface TasksFiguresAnswer {
  figures: {
    name: string
    recent: {
      status: 'running' | 'completed' | 'failed' | 'timeout' | 'stale'
      isCancelled: boolean
      durationMs: number | null
      inputTokens: number
      outputTokens: number
    }[]
  }[]
}

export interface TokensCreateBody {
  name: string
  scopes?: Array<'read' | 'meetings' | 'tasks'> | undefined
  expiresAt?: string | undefined
  /** Only admins create service tokens */
  kind?: 'service' | 'personal' | undefined
  projects?: string[] | undefined
}

export interface TokensCreateAnswer {
  token: Token
  /** Shown once */
  apiKey: string
  /** Shown once */
  signingSecret: string
  /** Fields of the request that were ignored, with the most similar known name, and other warnings */
  warnings?: {
    path: string
    message: string
  }[] | undefined
}

export interface TokensListAnswer {
  tokens: Token[]
  /** The address to enter in an assistant; null when assistants cannot connect */
  assistantAddress: string | null
}

export interface TokensNextSecretAnswer {
  token: Token
  /** Shown once */
  signingSecret: string
}

export interface TokensNextSecretActivateAnswer {
  token: Token
}

export interface TokensRemoveQuery {
  /** Also stops its meetings; without it they send callbacks until they end */
  meetings?: 'stop' | undefined
}

export interface TokensRemoveAnswer {
  token: Token
  /** How many meetings this call stopped */
  stoppedMeetings: number
  /** How many scheduled meetings will not begin */
  cancelledMeetings: number
}

export interface TokensRemoveNextSecretAnswer {
  token: Token
}

export interface UsersRemoveQuery {
  /** Also revokes the service tokens of this user; without it they stay valid */
  tokens?: 'revoke' | undefined
  /** User who owns the private projects that only this user owns */
  newOwner?: string | undefined
}

export interface UsersRemoveAnswer {
  success: true
  /** How many tokens this call revoked */
  revokedTokens: number
}

export interface UsersResetLinkAnswer {
  /** Whether the link is mailed to the person too */
  isMailed: boolean
  /** Shown once */
  link: string
  expiresAt: string
  /** Fields of the request that were ignored, with the most similar known name, and other warnings */
  warnings?: {
    path: string
    message: string
  }[] | undefined
}

export interface UsersUpdateBody {
  role?: 'admin' | 'member' | undefined
  email?: string | undefined
  isActive?: boolean | undefined
  /** Also revokes the service tokens of this user; without it they stay valid */
  tokens?: 'revoke' | undefined
}

export interface UsersUpdateAnswer {
  user: {
    id: string
    name: string
    email: string
    role: 'admin' | 'member'
    createdAt: string
    deactivatedAt: string | null
  }
  /** Fields of the request that were ignored, with the most similar known name, and other warnings */
  warnings?: {
    path: string
    message: string
  }[] | undefined
  /** How many tokens this call revoked */
  revokedTokens: number
}

/** Every operation of the console. */
export interface ConsoleApi {
  actions: Client['actions']
  ask: Client['ask']
  assistants: {
    allow(body: AssistantsAllowBody, options?: CallOptions): Promise<AssistantsAllowAnswer>
    review(body: AssistantsReviewBody, options?: CallOptions): Promise<AssistantsReviewAnswer>
  }
  audit: Client['audit']
  botAccounts: Client['botAccounts']
  calendarAccounts: Client['calendarAccounts'] & {
    create(
      body: CalendarAccountsCreateBody,
      options?: CallOptions,
    ): Promise<CalendarAccountsCreateAnswer>
  }
  calendarApps: Client['calendarApps']
  calendars: Client['calendars']
  callbacks: {
    test(body: CallbacksTestBody, options?: CallOptions): Promise<CallbacksTestAnswer>
  }
  connections: Client['connections']
  console: {
    state(options?: CallOptions): Promise<ConsoleStateAnswer>
  }
  decisions: Client['decisions']
  deliveries: Client['deliveries'] & {
    figures(options?: CallOptions): Promise<DeliveriesFiguresAnswer>
    request(deliveryId: string, options?: CallOptions): Promise<DeliveriesRequestAnswer>
  }
  events: Client['events']
  executions: Client['executions']
  identities: {
    link(options?: CallOptions): Promise<IdentitiesLinkAnswer>
    remove(id: string, options?: CallOptions): Promise<IdentitiesRemoveAnswer>
  }
  invitation: {
    accept(body: InvitationAcceptBody, options?: CallOptions): Promise<InvitationAcceptAnswer>
    check(body: InvitationCheckBody, options?: CallOptions): Promise<InvitationCheckAnswer>
  }
  invitations: {
    create(body: InvitationsCreateBody, options?: CallOptions): Promise<InvitationsCreateAnswer>
    remove(id: string, options?: CallOptions): Promise<InvitationsRemoveAnswer>
  }
  listeners: Client['listeners']
  mail: Client['mail'] & {
    test(options?: CallOptions): Promise<MailTestAnswer>
  }
  marks: {
    list(options?: CallOptions): Promise<MarksListAnswer>
    remove(
      kind: 'get_started' | 'attention',
      key: string,
      options?: CallOptions,
    ): Promise<MarksRemoveAnswer>
    update(
      kind: 'get_started' | 'attention',
      key: string,
      options?: CallOptions,
    ): Promise<MarksUpdateAnswer>
  }
  meetings: Omit<Client['meetings'], 'start'> & {
    link(body: MeetingsLinkBody, options?: CallOptions): Promise<MeetingsLinkAnswer>
    retry(
      meetingId: string,
      body: MeetingsRetryBody,
      options?: CallOptions,
    ): Promise<MeetingsRetryAnswer>
    start(body: MeetingsStartBody, options?: CallOptions): Promise<MeetingsStartAnswer>
  }
  notices: {
    list(options?: CallOptions): Promise<NoticesListAnswer>
    remove(notice: 'private_projects', options?: CallOptions): Promise<NoticesRemoveAnswer>
  }
  notifications: {
    feed(body: NotificationsFeedBody, options?: CallOptions): Promise<NotificationsFeedAnswer>
    list(options?: CallOptions): Promise<NotificationsListAnswer>
    removeFeed(options?: CallOptions): Promise<NotificationsRemoveFeedAnswer>
    update(body: NotificationsUpdateBody, options?: CallOptions): Promise<NotificationsUpdateAnswer>
  }
  passkeys: {
    create(body: PasskeysCreateBody, options?: CallOptions): Promise<PasskeysCreateAnswer>
    options(options?: CallOptions): Promise<PasskeysOptionsAnswer>
    remove(id: string, options?: CallOptions): Promise<PasskeysRemoveAnswer>
  }
  password: {
    update(body: PasswordUpdateBody, options?: CallOptions): Promise<PasswordUpdateAnswer>
  }
  passwordReset: {
    check(body: PasswordResetCheckBody, options?: CallOptions): Promise<PasswordResetCheckAnswer>
    finish(body: PasswordResetFinishBody, options?: CallOptions): Promise<PasswordResetFinishAnswer>
  }
  people: {
    list(options?: CallOptions): Promise<PeopleListAnswer>
  }
  profile: {
    update(body: ProfileUpdateBody, options?: CallOptions): Promise<ProfileUpdateAnswer>
  }
  projects: Client['projects']
  promptFiles: {
    get(path: string, options?: CallOptions): Promise<PromptFilesGetAnswer>
    remove(path: string, options?: CallOptions): Promise<PromptFilesRemoveAnswer>
    update(
      path: string,
      body: PromptFilesUpdateBody,
      options?: CallOptions,
    ): Promise<PromptFilesUpdateAnswer>
  }
  prompts: Client['prompts'] & {
    gallery(options?: CallOptions): Promise<PromptsGalleryAnswer>
    preview(body: PromptsPreviewBody, options?: CallOptions): Promise<PromptsPreviewAnswer>
    try(body: PromptsTryBody, options?: CallOptions): Promise<PromptsTryAnswer>
  }
  provisioning: {
    groups(
      query?: ProvisioningGroupsQuery,
      options?: CallOptions,
    ): Promise<ProvisioningGroupsAnswer>
    list(options?: CallOptions): Promise<ProvisioningListAnswer>
    removeToken(id: string, options?: CallOptions): Promise<ProvisioningRemoveTokenAnswer>
    saveGroupsRole(
      id: string,
      body: ProvisioningSaveGroupsRoleBody,
      options?: CallOptions,
    ): Promise<ProvisioningSaveGroupsRoleAnswer>
    tokens(body: ProvisioningTokensBody, options?: CallOptions): Promise<ProvisioningTokensAnswer>
    update(body: ProvisioningUpdateBody, options?: CallOptions): Promise<ProvisioningUpdateAnswer>
  }
  recordings: Client['recordings']
  search: Client['search']
  sessions: {
    list(options?: CallOptions): Promise<SessionsListAnswer>
    remove(id: string, options?: CallOptions): Promise<SessionsRemoveAnswer>
    removeOthers(options?: CallOptions): Promise<SessionsRemoveOthersAnswer>
  }
  setup: {
    finish(body: SetupFinishBody, options?: CallOptions): Promise<SetupFinishAnswer>
  }
  signIn: {
    end(options?: CallOptions): Promise<SignInEndAnswer>
    passkey(body: SignInPasskeyBody, options?: CallOptions): Promise<SignInPasskeyAnswer>
    passkeyOptions(options?: CallOptions): Promise<SignInPasskeyOptionsAnswer>
    password(body: SignInPasswordBody, options?: CallOptions): Promise<SignInPasswordAnswer>
    provider(body: SignInProviderBody, options?: CallOptions): Promise<SignInProviderAnswer>
  }
  signInMethods: {
    list(options?: CallOptions): Promise<SignInMethodsListAnswer>
  }
  system: {
    addBotAccount(
      body: SystemAddBotAccountBody,
      options?: CallOptions,
    ): Promise<SystemAddBotAccountAnswer>
    botAccounts(options?: CallOptions): Promise<SystemBotAccountsAnswer>
    check(name: string, options?: CallOptions): Promise<SystemCheckAnswer>
    checks(options?: CallOptions): Promise<SystemChecksAnswer>
    joinProject(
      projectId: string,
      body: SystemJoinProjectBody,
      options?: CallOptions,
    ): Promise<SystemJoinProjectAnswer>
    models(options?: CallOptions): Promise<SystemModelsAnswer>
    modelsCheck(
      body: SystemModelsCheckBody,
      options?: CallOptions,
    ): Promise<SystemModelsCheckAnswer>
    nodes(options?: CallOptions): Promise<SystemNodesAnswer>
    projects(options?: CallOptions): Promise<SystemProjectsAnswer>
    removeBotAccount(name: string, options?: CallOptions): Promise<SystemRemoveBotAccountAnswer>
    speech(options?: CallOptions): Promise<SystemSpeechAnswer>
    speechInstall(options?: CallOptions): Promise<SystemSpeechInstallAnswer>
    speechRemove(options?: CallOptions): Promise<SystemSpeechRemoveAnswer>
    storage(options?: CallOptions): Promise<SystemStorageAnswer>
    versions(options?: CallOptions): Promise<SystemVersionsAnswer>
  }
  tasks: Client['tasks'] & {
    figures(query: TasksFiguresQuery, options?: CallOptions): Promise<TasksFiguresAnswer>
  }
  tokens: {
    create(body: TokensCreateBody, options?: CallOptions): Promise<TokensCreateAnswer>
    list(options?: CallOptions): Promise<TokensListAnswer>
    nextSecret(id: string, options?: CallOptions): Promise<TokensNextSecretAnswer>
    nextSecretActivate(id: string, options?: CallOptions): Promise<TokensNextSecretActivateAnswer>
    remove(
      id: string,
      query?: TokensRemoveQuery,
      options?: CallOptions,
    ): Promise<TokensRemoveAnswer>
    removeNextSecret(id: string, options?: CallOptions): Promise<TokensRemoveNextSecretAnswer>
  }
  upcoming: Client['upcoming']
  usage: Client['usage']
  users: {
    remove(id: string, query?: UsersRemoveQuery, options?: CallOptions): Promise<UsersRemoveAnswer>
    resetLink(id: string, options?: CallOptions): Promise<UsersResetLinkAnswer>
    update(id: string, body: UsersUpdateBody, options?: CallOptions): Promise<UsersUpdateAnswer>
  }
}
