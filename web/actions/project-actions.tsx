import { CitedMeeting } from '../meetings/cited-lines.tsx'
import { ProjectSection } from '../projects/project-section.tsx'
import { TextLink } from '../ui/links.tsx'
import { ActionItem } from './action-item.tsx'
import { useActionList } from './queries.ts'

const MAX_SHOWN = 5

/** The open action items of a project that are due first. Hidden if there are none. */
export function ProjectActions({ project }: { project: string }) {
  const { data } = useActionList({ project })
  const actions = (data?.pages ?? []).flatMap((page) => page.actions)
  if (actions.length === 0) return null
  const ownerNames = [...new Set(actions.flatMap(({ owner }) => owner ?? []))].toSorted()
  return (
    <ProjectSection
      id="actions"
      title="Open action items"
      more={
        <TextLink to="/actions" search={{ project }} size="sm">
          {actions.length > MAX_SHOWN ? 'All action items' : 'Open the list'}
        </TextLink>
      }
    >
      <ul className="plain-list action-list">
        {actions.slice(0, MAX_SHOWN).map((action) => (
          <ActionItem
            key={action.actionId}
            action={action}
            project={project}
            ownerNames={ownerNames}
            citation={<CitedMeeting {...action} />}
          />
        ))}
      </ul>
    </ProjectSection>
  )
}
