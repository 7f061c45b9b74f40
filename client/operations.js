// Generated from the OpenAPI document by scripts/client-types.ts --write; change the routes, not this file.

export const OPERATIONS = {
  actions: {
    list: { method: 'GET', path: '/api/v1/actions', hasQuery: true },
    update: { method: 'PATCH', path: '/api/v1/actions/{actionId}', sends: 'application/json' },
  },
  ask: {
    question: { method: 'POST', path: '/api/v1/ask', sends: 'application/json' },
    stream: { method: 'POST', path: '/api/v1/ask', sends: 'application/json', streams: 'messages' },
  },
  audit: {
    export: { method: 'GET', path: '/api/v1/audit/export', hasQuery: true },
    list: { method: 'GET', path: '/api/v1/audit', hasQuery: true },
  },
  botAccounts: {
    list: { method: 'GET', path: '/api/v1/bot-accounts' },
  },
  calendars: {
    create: {
      method: 'POST',
      path: '/api/v1/calendars',
      sends: 'application/json',
      takesKey: true,
    },
    get: { method: 'GET', path: '/api/v1/calendars/{calendarId}' },
    list: { method: 'GET', path: '/api/v1/calendars' },
    poll: { method: 'POST', path: '/api/v1/calendars/{calendarId}/poll' },
    preview: { method: 'GET', path: '/api/v1/calendars/{calendarId}/preview' },
    previewAddress: {
      method: 'POST',
      path: '/api/v1/calendars/preview',
      sends: 'application/json',
    },
    previewWithRules: {
      method: 'POST',
      path: '/api/v1/calendars/{calendarId}/preview',
      sends: 'application/json',
    },
    remove: { method: 'DELETE', path: '/api/v1/calendars/{calendarId}' },
    update: { method: 'PATCH', path: '/api/v1/calendars/{calendarId}', sends: 'application/json' },
  },
  callbacks: {
    test: { method: 'POST', path: '/api/v1/callbacks/test', sends: 'application/json' },
  },
  decisions: {
    list: { method: 'GET', path: '/api/v1/decisions', hasQuery: true },
  },
  deliveries: {
    failed: { method: 'GET', path: '/api/v1/deliveries/failed' },
    get: { method: 'GET', path: '/api/v1/deliveries/{deliveryId}' },
    list: { method: 'GET', path: '/api/v1/deliveries', hasQuery: true },
    receivers: { method: 'GET', path: '/api/v1/deliveries/receivers' },
    replayFailed: { method: 'POST', path: '/api/v1/deliveries/failed/replay' },
    retry: { method: 'POST', path: '/api/v1/deliveries/retry', sends: 'application/json' },
  },
  events: {
    stream: { method: 'GET', path: '/api/v1/events/stream', hasQuery: true, streams: 'data' },
  },
  executions: {
    get: { method: 'GET', path: '/api/v1/executions/{executionId}' },
    stream: {
      method: 'GET',
      path: '/api/v1/executions/{executionId}/stream',
      hasQuery: true,
      streams: 'messages',
    },
  },
  listeners: {
    answers: {
      method: 'POST',
      path: '/api/v1/listeners/{name}/answers',
      sends: 'application/json',
    },
    stream: {
      method: 'GET',
      path: '/api/v1/listeners/{name}/stream',
      hasQuery: true,
      streams: 'data',
    },
  },
  mail: {
    list: { method: 'GET', path: '/api/v1/mail', hasQuery: true },
    status: { method: 'GET', path: '/api/v1/mail/status' },
  },
  meetings: {
    addComment: {
      method: 'POST',
      path: '/api/v1/meetings/{meetingId}/comments',
      sends: 'application/json',
      takesKey: true,
    },
    addRecapItem: {
      method: 'POST',
      path: '/api/v1/meetings/{meetingId}/recap/items',
      sends: 'application/json',
      takesKey: true,
    },
    bookmarks: { method: 'GET', path: '/api/v1/meetings/{meetingId}/bookmarks' },
    chat: { method: 'GET', path: '/api/v1/meetings/{meetingId}/chat', hasQuery: true },
    comments: { method: 'GET', path: '/api/v1/meetings/{meetingId}/comments' },
    deliveries: { method: 'GET', path: '/api/v1/meetings/{meetingId}/deliveries', hasQuery: true },
    document: { method: 'GET', path: '/api/v1/meetings/{meetingId}/document' },
    edits: { method: 'GET', path: '/api/v1/meetings/{meetingId}/edits' },
    editsUndo: { method: 'POST', path: '/api/v1/meetings/{meetingId}/edits/{editNumber}/undo' },
    events: {
      method: 'GET',
      path: '/api/v1/meetings/{meetingId}/events/stream',
      hasQuery: true,
      streams: 'data',
    },
    evidence: { method: 'GET', path: '/api/v1/meetings/{meetingId}/evidence' },
    evidenceScreenshot: {
      method: 'GET',
      path: '/api/v1/meetings/{meetingId}/evidence/{number}/screenshot',
      isBinary: true,
    },
    get: { method: 'GET', path: '/api/v1/meetings/{meetingId}' },
    import: {
      method: 'POST',
      path: '/api/v1/meetings/import',
      sends: 'application/json',
      takesKey: true,
    },
    list: { method: 'GET', path: '/api/v1/meetings', hasQuery: true },
    makeRecap: { method: 'POST', path: '/api/v1/meetings/{meetingId}/recap' },
    readEvents: { method: 'GET', path: '/api/v1/meetings/{meetingId}/events', hasQuery: true },
    recap: { method: 'GET', path: '/api/v1/meetings/{meetingId}/recap' },
    remove: { method: 'DELETE', path: '/api/v1/meetings/{meetingId}' },
    removeBookmark: {
      method: 'DELETE',
      path: '/api/v1/meetings/{meetingId}/bookmarks/{segmentNumber}',
    },
    removeComment: { method: 'DELETE', path: '/api/v1/meetings/{meetingId}/comments/{commentId}' },
    removeRecapItem: {
      method: 'DELETE',
      path: '/api/v1/meetings/{meetingId}/recap/items/{itemId}',
    },
    removeShare: { method: 'DELETE', path: '/api/v1/meetings/{meetingId}/shares/{shareId}' },
    replay: {
      method: 'POST',
      path: '/api/v1/meetings/{meetingId}/events/replay',
      sends: 'application/json',
    },
    saveBookmark: { method: 'PUT', path: '/api/v1/meetings/{meetingId}/bookmarks/{segmentNumber}' },
    share: {
      method: 'POST',
      path: '/api/v1/meetings/{meetingId}/shares',
      sends: 'application/json',
    },
    shares: { method: 'GET', path: '/api/v1/meetings/{meetingId}/shares' },
    speakersRename: {
      method: 'POST',
      path: '/api/v1/meetings/{meetingId}/speakers/rename',
      sends: 'application/json',
    },
    start: {
      method: 'POST',
      path: '/api/v1/meetings/start',
      sends: 'application/json',
      takesKey: true,
    },
    status: { method: 'GET', path: '/api/v1/meetings/status' },
    stop: { method: 'POST', path: '/api/v1/meetings/stop', sends: 'application/json' },
    transcript: { method: 'GET', path: '/api/v1/meetings/{meetingId}/transcript', hasQuery: true },
    transcriptText: {
      method: 'GET',
      path: '/api/v1/meetings/{meetingId}/transcript/{format}',
      hasQuery: true,
    },
    update: { method: 'PATCH', path: '/api/v1/meetings/{meetingId}', sends: 'application/json' },
    updateComment: {
      method: 'PATCH',
      path: '/api/v1/meetings/{meetingId}/comments/{commentId}',
      sends: 'application/json',
    },
    updateRecapItem: {
      method: 'PATCH',
      path: '/api/v1/meetings/{meetingId}/recap/items/{itemId}',
      sends: 'application/json',
    },
  },
  projects: {
    access: { method: 'GET', path: '/api/v1/projects/{projectId}/access' },
    document: { method: 'GET', path: '/api/v1/projects/{projectId}/documents/{path}' },
    documents: { method: 'GET', path: '/api/v1/projects/{projectId}/documents', hasQuery: true },
    list: { method: 'GET', path: '/api/v1/projects', hasQuery: true },
    meetings: { method: 'GET', path: '/api/v1/projects/{projectId}/meetings', hasQuery: true },
    members: { method: 'GET', path: '/api/v1/projects/{projectId}/members' },
    recapSettings: { method: 'GET', path: '/api/v1/projects/{projectId}/recap-settings' },
    removeDocument: { method: 'DELETE', path: '/api/v1/projects/{projectId}/documents/{path}' },
    removeMember: { method: 'DELETE', path: '/api/v1/projects/{projectId}/members/{userId}' },
    removeShare: { method: 'DELETE', path: '/api/v1/projects/{projectId}/shares/{shareId}' },
    saveDocument: {
      method: 'PUT',
      path: '/api/v1/projects/{projectId}/documents/{path}',
      sends: 'text/markdown',
    },
    setAccess: {
      method: 'PUT',
      path: '/api/v1/projects/{projectId}/access',
      sends: 'application/json',
    },
    setMember: {
      method: 'POST',
      path: '/api/v1/projects/{projectId}/members',
      sends: 'application/json',
    },
    shareDocument: {
      method: 'POST',
      path: '/api/v1/projects/{projectId}/shares',
      sends: 'application/json',
    },
    shares: { method: 'GET', path: '/api/v1/projects/{projectId}/shares', hasQuery: true },
    updateRecapSettings: {
      method: 'PATCH',
      path: '/api/v1/projects/{projectId}/recap-settings',
      sends: 'application/json',
    },
  },
  prompts: {
    list: { method: 'GET', path: '/api/v1/prompts' },
  },
  removals: {
    list: { method: 'GET', path: '/api/v1/removals', hasQuery: true },
  },
  search: {
    find: { method: 'GET', path: '/api/v1/search', hasQuery: true },
  },
  tasks: {
    cancel: { method: 'POST', path: '/api/v1/tasks/{name}/executions/{executionId}/cancel' },
    create: { method: 'POST', path: '/api/v1/tasks', sends: 'application/json', takesKey: true },
    disable: { method: 'POST', path: '/api/v1/tasks/{name}/disable' },
    enable: { method: 'POST', path: '/api/v1/tasks/{name}/enable' },
    get: { method: 'GET', path: '/api/v1/tasks/{name}' },
    history: { method: 'GET', path: '/api/v1/tasks/{name}/history', hasQuery: true },
    list: { method: 'GET', path: '/api/v1/tasks', hasQuery: true },
    remove: { method: 'DELETE', path: '/api/v1/tasks/{name}' },
    run: { method: 'POST', path: '/api/v1/tasks/{name}/run', takesKey: true },
    takeOver: { method: 'POST', path: '/api/v1/tasks/{name}/take-over' },
    update: { method: 'PUT', path: '/api/v1/tasks/{name}', sends: 'application/json' },
  },
  token: {
    get: { method: 'GET', path: '/api/v1/token' },
  },
  upcoming: {
    list: { method: 'GET', path: '/api/v1/upcoming', hasQuery: true },
    update: { method: 'PATCH', path: '/api/v1/upcoming/{upcomingId}', sends: 'application/json' },
  },
  usage: {
    csv: { method: 'GET', path: '/api/v1/usage/csv', hasQuery: true },
    list: { method: 'GET', path: '/api/v1/usage', hasQuery: true },
  },
}
