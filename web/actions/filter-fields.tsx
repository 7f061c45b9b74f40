import { Checkbox, Group, NativeSelect, TextInput } from '@mantine/core'
import { ProjectFilterField } from '../projects/project-filter-field.tsx'
import { useDebouncedUrlField } from '../ui/forms/use-debounced-field.ts'
import { ACTION_STATE_LABELS } from './action-labels.ts'
import { parseActionFilter, type ActionFilter } from './action-filter.ts'

const STATE_OPTIONS = Object.entries(ACTION_STATE_LABELS).map(([value, label]) => ({
  value,
  label,
}))

interface ActionFilterFieldsProps {
  filter: ActionFilter
  onChangedFields: (change: ActionFilter) => void
}

/** The filters are stored in the URL, so that a list can be shared as a link. */
export function ActionFilterFields({ filter, onChangedFields }: ActionFilterFieldsProps) {
  const [owner, setOwner] = useDebouncedUrlField(filter.owner ?? '', (text) =>
    onChangedFields({ owner: text || undefined }),
  )
  return (
    <Group align="flex-end" gap="sm" role="search" aria-label="Filters">
      <NativeSelect
        label="State"
        value={filter.state ?? 'open'}
        data={STATE_OPTIONS}
        onChange={(event) =>
          onChangedFields({ state: parseActionFilter({ state: event.currentTarget.value }).state })
        }
      />
      <Checkbox
        label="Mine"
        pb={8}
        checked={filter.mine === true}
        onChange={(event) =>
          onChangedFields({ mine: event.currentTarget.checked ? true : undefined })
        }
      />
      <TextInput
        label="Owner"
        flex="1 1 140px"
        value={owner}
        onChange={(event) => setOwner(event.currentTarget.value)}
      />
      <ProjectFilterField
        project={filter.project}
        onChange={(project) => onChangedFields({ project })}
      />
      <Checkbox
        label="Overdue only"
        pb={8}
        checked={filter.overdue === true}
        onChange={(event) =>
          onChangedFields({ overdue: event.currentTarget.checked ? true : undefined })
        }
      />
    </Group>
  )
}
