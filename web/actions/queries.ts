import type { InfiniteData } from '@tanstack/react-query'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi, useApiPages } from '../api/use-api.tsx'
import { useBatchedCallback } from '../api/use-batched-callback.ts'
import type { ApiActions, ApiListedAction } from '../../src/http/shapes/meetings/actions.ts'
import type { ApiAction, ApiRecap } from '../../src/http/shapes/meetings/recap.ts'
import type { ActionItemState } from '../../src/http/shapes/values.ts'
import { type ActionFilter, actionFilterToApiParams } from './action-filter.ts'
import { useLatestAction } from '../ui/forms.tsx'
import { useContentChanges } from '../api/event-stream-context.tsx'

const LIMIT = 30
/** Groups of a few items would say little. */
const GROUPED_LIMIT = 100
export const ACTIONS_KEY = 'actions'
const LIST_KEY = [ACTIONS_KEY] as const
export const RECAP_KEY = 'recap'

/**
 * Action items, those that are due first at the top. Read again when somebody changes a recap, unless an item was ticked
 * or deleted in this list: it stays in its place, where the change can be undone.
 */
export function useActionList({ group, ...filter }: ActionFilter) {
  const queries = useQueryClient()
  const limit = group === undefined ? LIMIT : GROUPED_LIMIT
  const queryKey = [...LIST_KEY, filter, limit]
  const refresh = useBatchedCallback(() => {
    const pages = queries.getQueryData<InfiniteData<ApiActions>>(queryKey)?.pages ?? []
    const isListed = (action: ApiListedAction) => action.state === (filter.state ?? 'open')
    if (pages.every(({ actions }) => actions.every(isListed)))
      void queries.invalidateQueries({ queryKey })
  })
  useContentChanges('recap_items_changed', refresh)
  return useApiPages(queryKey, (api, cursor) =>
    api.actions.list({ ...actionFilterToApiParams(filter), order: 'due', limit, cursor }),
  )
}

export type ActionChange = {
  text?: string
  owner?: string | null
  dueDate?: string | null
  state?: ActionItemState
}

/**
 * Changes an action item, and shows the new values wherever the item is listed. The lists are not read again, so a
 * ticked or deleted item stays in its place, where the change can be undone.
 */
export function useChangeAction(): (actionId: string, change: ActionChange) => Promise<void> {
  const api = useApi()
  const queries = useQueryClient()
  return async (actionId, change) => {
    const { action } = await api.actions.update(actionId, change)
    queries.setQueriesData<InfiniteData<ApiActions>>({ queryKey: LIST_KEY }, (list) => {
      if (!list) return list
      const pages = list.pages.map((page) => ({ ...page, actions: replace(page.actions, action) }))
      return { ...list, pages }
    })
    queries.setQueriesData<{ recap: ApiRecap | null }>({ queryKey: [RECAP_KEY] }, (found) =>
      found?.recap
        ? { ...found, recap: { ...found.recap, actions: replace(found.recap.actions, action) } }
        : found,
    )
  }
}

function replace<Item extends ApiAction>(items: Item[], changed: ApiListedAction): Item[] {
  return items.map((item) => (item.actionId === changed.actionId ? { ...item, ...changed } : item))
}

/**
 * The state of an action item and how to change it. It changes at once, and back if the request fails. A change during
 * a request is saved by another request.
 */
export function useActionState(action: ApiAction): {
  state: ActionItemState
  setState: (state: ActionItemState) => void
  error: unknown
} {
  const save = useChangeAction()
  const [wanted, setWanted] = useState<ActionItemState>(action.state)
  const change = useLatestAction((state: ActionItemState) => save(action.actionId, { state }))
  return {
    state: change.isRunning ? wanted : action.state,
    setState: (state) => {
      setWanted(state)
      void change.run(state)
    },
    error: change.error,
  }
}
