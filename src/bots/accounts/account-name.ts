/** Allowed names of bot accounts. Names are used in commands and in API requests. */
export const BOT_ACCOUNT_NAME_PATTERN = /^[\p{L}\p{N}][\p{L}\p{N} ._@-]{0,63}$/u
export const BOT_ACCOUNT_NAME_RULE_TEXT =
  'A name has 1 to 64 letters, digits, spaces, or any of . _ @ -'
