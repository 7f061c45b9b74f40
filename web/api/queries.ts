import { useQueryClient } from '@tanstack/react-query'

/** Options of an infinite query whose pages name the next one. */
export const CURSOR_PAGES = {
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ nextCursor }: { nextCursor: string | null }) => nextCursor ?? undefined,
}

/** Returns a function that reloads the data whose keys start with one of these, and resolves when it has arrived. */
export function useReload(...keys: string[]): () => Promise<void> {
  const queries = useQueryClient()
  return async () => {
    await Promise.all(keys.map((key) => queries.invalidateQueries({ queryKey: [key] })))
  }
}
