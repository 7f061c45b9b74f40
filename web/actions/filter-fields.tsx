import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { ProjectFilterField } from '../projects/project-filter-field.tsx'
import { useDebouncedUrlField } from '../ui/forms/use-debounced-field.ts'
import { FilterRow } from '../ui/layout/filter-row.tsx'
import { ACTION_STATE_LABELS } from './action-labels.ts'
import { parseActionFilter, type ActionFilter } from './action-filter.ts'

const STATE_OPTIONS = Object.entries(ACTION_STATE_LABELS).map(([value, label]) => ({
  value,
  label,
}))

const GROUP_OPTIONS = [
  { value: '', label: 'Nothing' },
  { value: 'project', label: 'Project' },
  { value: 'person', label: 'Person' },
  { value: 'week', label: 'Week' },
]

interface ActionFilterFieldsProps {
  filter: ActionFilter
  onChangedFields: (change: ActionFilter) => void
}

/** The filters are stored in the URL, so that a list can be shared as a link. */
export function ActionFilterFields({ filter, onChangedFields }: ActionFilterFieldsProps) {
  const [owner, setOwner] = useDebouncedUrlField(filter.owner ?? '', (text) =>
    onChangedFields({ owner: text || undefined }),
  )
  // Grouping leaves nothing out.
  const { group, ...limits } = filter
  return (
    <FilterRow filter={limits}>
      <NativeSelect
        label="State"
        value={filter.state ?? 'open'}
        data={STATE_OPTIONS}
        onChange={(event) =>
          onChangedFields({ state: parseActionFilter({ state: event.currentTarget.value }).state })
        }
      />
      <ProjectFilterField
        project={filter.project}
        onChange={(project) => onChangedFields({ project })}
      />
      <TextInput
        label="Owner"
        className="filter-wide"
        value={owner}
        onChange={(event) => setOwner(event.currentTarget.value)}
      />
      <NativeSelect
        label="Group by"
        value={group ?? ''}
        data={GROUP_OPTIONS}
        onChange={(event) =>
          onChangedFields({ group: parseActionFilter({ group: event.currentTarget.value }).group })
        }
      />
      <div className="filter-ticks">
        <Checkbox
          label="Mine"
          checked={filter.mine === true}
          onChange={(event) =>
            onChangedFields({ mine: event.currentTarget.checked ? true : undefined })
          }
        />
        <Checkbox
          label="Overdue only"
          checked={filter.overdue === true}
          onChange={(event) =>
            onChangedFields({ overdue: event.currentTarget.checked ? true : undefined })
          }
        />
      </div>
    </FilterRow>
  )
}
