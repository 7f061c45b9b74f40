import './decisions.css'
import { ProjectSection } from '../projects/project-section.tsx'
import { TextLink } from '../ui/links.tsx'
import { DecisionItem, listSpeakers } from './decision-item.tsx'
import { useDecisionList } from './queries.ts'

const MAX_SHOWN = 5

/** The newest decisions of a project. Hidden if there are none. */
export function ProjectDecisions({ project }: { project: string }) {
  const { data } = useDecisionList({ project })
  const decisions = (data?.pages ?? []).flatMap((page) => page.decisions)
  if (decisions.length === 0) return null
  return (
    <ProjectSection
      id="decisions"
      title="Decisions"
      more={
        <TextLink to="/decisions" search={{ project }} size="sm">
          {decisions.length > MAX_SHOWN ? 'All decisions' : 'Open the list'}
        </TextLink>
      }
    >
      <ul className="plain-list decision-list" tabIndex={-1}>
        {decisions.slice(0, MAX_SHOWN).map((decision) => (
          <DecisionItem
            key={decision.id}
            decision={decision}
            names={listSpeakers(decisions)}
            namesMeeting
          />
        ))}
      </ul>
    </ProjectSection>
  )
}
