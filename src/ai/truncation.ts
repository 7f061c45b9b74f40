/**
 * Why an answer is incomplete. `length`: the model reached `maxOutputTokens` or its own limit. `max_tokens`: the run
 * used up its tokens. `max_steps`: the model needed more round trips. `content_filter`: the provider withheld the rest.
 */
export const TRUNCATION_REASONS = ['length', 'max_tokens', 'max_steps', 'content_filter'] as const
export type TruncationReason = (typeof TRUNCATION_REASONS)[number]
