// Generated from the table of events by scripts/receiver-types.ts; change that table, not this file.

/** The payload of each event type. */
export interface EventPayloads {
  /** The status of the meeting changed */
  meeting_status: {
    status: 'awaiting_transcript' | 'joining' | 'lobby' | 'live' | 'leaving' | 'ended' | 'error'
    /** null for the first status */
    previousStatus: string | null
    /** Why the meeting is ending, ended or failed */
    reason?:
      | 'stopped'
      | 'asked_to_leave'
      | 'everyone_left'
      | 'nobody_joined'
      | 'silence'
      | 'max_duration'
      | 'lobby_timeout'
      | 'service_restarted'
      | 'at_capacity'
      | 'missed'
      | 'not_allowed'
      | 'transcription_off'
      | 'transcript_not_allowed'
      | 'transcript_not_ready'
      | 'transcript_expired'
      | 'transcript_no_licence'
      | 'no_connection'
      | 'host_ended'
      | 'removed'
      | 'denied'
      | 'no_answer'
      | 'sign_in_required'
      | 'blocked_by_platform'
      | 'captcha'
      | 'meeting_not_found'
      | 'meeting_not_started'
      | 'page_not_loaded'
      | 'captions_unavailable'
      | 'browser_crashed'
      | 'internal'
      | 'app_not_installed'
      | 'host_did_not_start'
      | 'stream_ended_by_host'
      | 'stream_not_allowed'
      | 'stream_revoked'
      | 'stream_failed'
      | 'credentials_rejected'
      | undefined
    /** Explanation of the reason for people */
    detail?: string | undefined
    /** Times since the previous segment in which nothing was recorded; absent when there are none */
    gaps?: {
      /** Why nothing was recorded: captions_lost, bot_rejoined, restarted, node_lost, speech_lost, paused. There may be more in later versions */
      cause: string
      /** ISO 8601 UTC with milliseconds */
      startedAt: string
      /** ISO 8601 UTC with milliseconds */
      endedAt: string
      /** The last segment before the gap; 0 for none */
      afterSegmentNumber: number
      /** For people: `33 s not recorded: Hansard restarted`; absent in events of earlier versions */
      text?: string | undefined
    }[] | undefined
  }
  /** Live caption that still changes, high frequency, for display; the newest replaces earlier ones */
  caption_partial: {
    captionId: string
    speaker: string
    text: string
    /** ISO 8601 UTC with milliseconds */
    timestamp: string
  }
  /** Clean, final transcript segment: the one to store */
  segment_finalized: {
    speaker: string
    text: string
    /** ISO 8601 UTC with milliseconds */
    timestamp: string
    /** From 1, consecutive */
    segmentNumber: number
    captionId: string
    /** `captions`: captions of the platform; `speech`: speech that Hansard recognized; `imported`: an imported transcript; `official`: the official transcript of the platform; absent in events of earlier versions */
    source?: 'captions' | 'speech' | 'imported' | 'official' | undefined
    /** True when words before or in the segment are missing, because speech could not be recognized completely; absent otherwise */
    incomplete?: boolean | undefined
    /** Times since the previous segment in which nothing was recorded; absent when there are none */
    gaps?: {
      /** Why nothing was recorded: captions_lost, bot_rejoined, restarted, node_lost, speech_lost, paused. There may be more in later versions */
      cause: string
      /** ISO 8601 UTC with milliseconds */
      startedAt: string
      /** ISO 8601 UTC with milliseconds */
      endedAt: string
      /** The last segment before the gap; 0 for none */
      afterSegmentNumber: number
      /** For people: `33 s not recorded: Hansard restarted`; absent in events of earlier versions */
      text?: string | undefined
    }[] | undefined
  }
  /** Coaching insight with a category and the segments it is based on */
  coach_insight: {
    insightId: string
    category:
      | 'talk_balance'
      | 'monologue'
      | 'pace'
      | 'filler'
      | 'silence'
      | 'unanswered_question'
      | 'action_item'
      | 'deadline'
      | 'decision'
      | 'risk'
      | 'objection'
      | 'question_to_ask'
      | 'summary'
    severity: 'info' | 'nudge' | 'warning'
    title: string
    text: string
    /** The speaker the insight is about; null for all participants */
    speaker: string | null
    /** `rules`: counting and patterns; `llm`: a language model */
    engine: 'rules' | 'llm'
    /** The segments the insight is based on */
    segmentNumbers: number[]
    /** ISO 8601 UTC with milliseconds */
    timestamp: string
  }
  /** Someone joined the meeting */
  participant_joined: {
    participantId: string
    name: string
    /** Participants after this event, without the bot */
    participantCount: number
    /** ISO 8601 UTC with milliseconds */
    timestamp: string
  }
  /** Someone left the meeting */
  participant_left: {
    participantId: string
    name: string
    /** Participants after this event, without the bot */
    participantCount: number
    /** ISO 8601 UTC with milliseconds */
    timestamp: string
  }
  /** The transcript document was flushed to disk */
  document_saved: {
    documentPath: string
    /** Segments written with this flush */
    segmentsWritten: number
    /** Segments in the document */
    totalSegments: number
  }
  /** A scheduled meeting begins and something is known about earlier ones; only sent when `events` of the start request lists it */
  brief_ready: {
    /** The path of the brief in the API, which has what its reader may read */
    briefPath: string
    /** When the bot joins */
    startsAt: string
    /** Earlier meetings of the series and with the same people */
    meetingCount: number
    decisionCount: number
    /** Action items that are still open */
    actionCount: number
    openQuestionCount: number
    /** ISO 8601 UTC with milliseconds */
    timestamp: string
  }
  /** The lines of the ended meeting changed, because its official transcript arrived or is used differently; only sent when `events` of the start request lists it */
  transcript_changed: {
    /** `keep`: only lines of the bot; `fill`: official lines where nothing was recorded; `replace`: official lines for the time that the official transcript covers */
    officialTranscript: 'keep' | 'fill' | 'replace'
    /** Lines in the transcript now */
    segmentCount: number
    /** ISO 8601 UTC with milliseconds */
    timestamp: string
  }
  /** The recap of the ended meeting was made; only sent when `events` of the start request lists it */
  recap_ready: {
    /** Grows with every change of the recap */
    version: number
    /** `rules`: without a language model */
    method: 'rules' | 'model'
    /** The language model; null for rules */
    model: string | null
    /** Why the recap is by rules although a language model is configured, or that the model wrote in another language than it was asked to; else null */
    error: string | null
    /** The sentences of the summary */
    summary: string[]
    decisionCount: number
    actionCount: number
    openQuestionCount: number
    /** ISO 8601 UTC with milliseconds */
    timestamp: string
  }
  /** A decision is in the recap for the first time, changed or was deleted; only sent when `events` of the start request lists it */
  decision_recorded: {
    /** Stays the same for the same decision */
    decisionId: string
    text: string
    speaker: string | null
    state: 'recorded' | 'deleted'
    /** Fields that changed, with their earlier values; null the first time */
    previous:
      | {
      text?: string | undefined
      speaker?: string | null | undefined
      state?: 'recorded' | 'deleted' | undefined
    }
      | null
    project: string
    meetingTitle: string
    /** The segments in which it was said */
    segmentNumbers: number[]
    /** Link to the meeting in the console */
    url: string
    /** ISO 8601 UTC with milliseconds */
    timestamp: string
  }
  /** An action item is in the recap for the first time; only sent when `events` of the start request lists it */
  action_created: {
    /** Stays the same for the same action item */
    actionId: string
    text: string
    /** Who does it; null if nobody was named */
    owner: string | null
    /** The due date, as `2026-11-18`; null without one */
    dueDate: string | null
    /** `deleted` too if a new recap does not have it */
    state: 'open' | 'done' | 'deleted'
    project: string
    meetingTitle: string
    /** The segments in which it was said */
    segmentNumbers: number[]
    /** Link to the meeting in the console */
    url: string
    /** ISO 8601 UTC with milliseconds */
    timestamp: string
  }
  /** An action item changed, was done or was deleted; only sent when `events` of the start request lists it */
  action_changed: {
    /** Stays the same for the same action item */
    actionId: string
    text: string
    /** Who does it; null if nobody was named */
    owner: string | null
    /** The due date, as `2026-11-18`; null without one */
    dueDate: string | null
    /** `deleted` too if a new recap does not have it */
    state: 'open' | 'done' | 'deleted'
    /** Fields that changed, with their earlier values */
    previous: {
      text?: string | undefined
      /** Who does it; null if nobody was named */
      owner?: string | null | undefined
      /** The due date, as `2026-11-18`; null without one */
      dueDate?: string | null | undefined
      /** `deleted` too if a new recap does not have it */
      state?: 'open' | 'done' | 'deleted' | undefined
    }
    project: string
    meetingTitle: string
    /** The segments in which it was said */
    segmentNumbers: number[]
    /** Link to the meeting in the console */
    url: string
    /** ISO 8601 UTC with milliseconds */
    timestamp: string
  }
}
