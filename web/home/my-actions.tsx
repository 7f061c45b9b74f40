import '../actions/actions.css'
import { Checkbox } from '@mantine/core'
import type { ApiListedAction } from '../../src/http/shapes/meetings/actions.ts'
import { DueDate } from '../actions/due-date.tsx'
import { useActionList } from '../actions/queries.ts'
import { useActionState } from '../actions/use-action-state.ts'
import { ErrorBox } from '../ui/feedback/feedback.tsx'
import { Name } from '../ui/format/name.tsx'
import { TextLink } from '../ui/links.tsx'
import { HomeSection } from './home-section.tsx'

const MAX_SHOWN = 5

/** The signed-in user's action items, earliest due date first. A ticked item can be unticked. */
export function MyActions() {
  const { data } = useActionList({ mine: true })
  const actions = (data?.pages ?? []).flatMap((page) => page.actions)
  if (actions.length === 0) return null
  return (
    <HomeSection
      id="my-actions"
      title="My open action items"
      more={
        <TextLink to="/actions" search={{ mine: true }} size="sm">
          {actions.length > MAX_SHOWN ? 'All of mine' : 'Open the list'}
        </TextLink>
      }
    >
      <ul className="plain-list home-rows">
        {actions.slice(0, MAX_SHOWN).map((action) => (
          <MyAction key={action.actionId} action={action} />
        ))}
      </ul>
    </HomeSection>
  )
}

function MyAction({ action }: { action: ApiListedAction }) {
  const { state, setState, error } = useActionState(action)
  const isDone = state === 'done'
  return (
    <li className="home-action">
      <Checkbox
        checked={isDone}
        onChange={(event) => setState(event.currentTarget.checked ? 'done' : 'open')}
        label={
          <bdi className={isDone ? 'action-text action-done' : 'action-text'}>{action.text}</bdi>
        }
      />
      <div className="action-facts">
        <DueDate action={action} isOpen={!isDone} />
        <TextLink
          to="/meetings/$meetingId"
          params={{ meetingId: action.meetingId }}
          inherit
          className="break-anywhere"
        >
          <Name>{action.meetingTitle}</Name>
        </TextLink>
      </div>
      {error ? <ErrorBox error={error} /> : null}
    </li>
  )
}
