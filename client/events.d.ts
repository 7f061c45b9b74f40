// Generated from the table of events by scripts/receiver-types.ts; change that table, not this file.

/** The payload of each event type. */
export interface EventPayloads {
  /** The meeting moved to another status */
  meeting_status: {
    status: 'joining' | 'lobby' | 'live' | 'leaving' | 'ended' | 'error'
    /** null for the first */
    previousStatus: string | null
    /** Why it is leaving, has ended or failed */
    reason?:
      | 'stopped'
      | 'everyone_left'
      | 'nobody_joined'
      | 'silence'
      | 'max_duration'
      | 'lobby_timeout'
      | 'service_restarted'
      | 'at_capacity'
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
    /** The same for a person */
    detail?: string
  }
  /** Live evolving caption, high frequency, for display; newest wins */
  caption_partial: {
    captionId: string
    speaker: string
    text: string
    /** ISO 8601 UTC with milliseconds */
    timestamp: string
  }
  /** Clean finalized transcript segment: the one to keep */
  segment_finalized: {
    speaker: string
    text: string
    /** ISO 8601 UTC with milliseconds */
    timestamp: string
    /** From 1, without gaps */
    segmentNumber: number
    captionId: string
  }
  /** Coaching insight with a category and the segments it rests on */
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
    /** Whom it is about; null: everybody */
    speaker: string | null
    /** Counting and patterns, or a language model */
    engine: 'rules' | 'llm'
    /** What it rests on */
    segmentNumbers: number[]
    /** ISO 8601 UTC with milliseconds */
    timestamp: string
  }
  /** Someone joined the meeting */
  participant_joined: {
    participantId: string
    name: string
    /** People in the meeting after this, the bot not counted */
    participantCount: number
    /** ISO 8601 UTC with milliseconds */
    timestamp: string
  }
  /** Someone left the meeting */
  participant_left: {
    participantId: string
    name: string
    /** People in the meeting after this, the bot not counted */
    participantCount: number
    /** ISO 8601 UTC with milliseconds */
    timestamp: string
  }
  /** The transcript document was flushed to disk */
  document_saved: {
    documentPath: string
    /** With this flush */
    segmentsWritten: number
    totalSegments: number
  }
}
