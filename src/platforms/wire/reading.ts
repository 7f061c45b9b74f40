/** What came of bytes that a stranger sent: something typed, or why not. Decoders never throw. */
export type Reading<T> = { isRead: true; value: T } | { isRead: false; why: Unreadable }

/** `unknown`: sound as far as it goes, but not laid out as anything we know. */
export type Unreadable = 'too large' | 'cut off' | 'malformed' | 'unknown'

export function read<T>(value: T): Reading<T> {
  return { isRead: true, value }
}

export function unread(why: Unreadable): { isRead: false; why: Unreadable } {
  return { isRead: false, why }
}
