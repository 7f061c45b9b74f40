import { NativeSelect, TextInput } from '@mantine/core'
import { RESULT_KINDS, type ResultKind } from '../../src/http/shapes/values.ts'
import { ProjectFilterField } from '../projects/project-filter-field.tsx'
import { useDebouncedUrlField } from '../ui/forms/use-debounced-field.ts'
import { FilterRow } from '../ui/layout/filter-row.tsx'
import { type SearchFilter, parseSearchFilter } from './search-filter.ts'

interface SearchFilterFieldsProps {
  filter: SearchFilter
  onChangedFields: (change: SearchFilter) => void
}

const KIND_LABELS: Record<ResultKind, string> = {
  segment: 'Transcripts',
  document: 'Documents',
}

const KIND_OPTIONS = [
  { value: '', label: 'Everything' },
  ...RESULT_KINDS.map((kind) => ({ value: kind, label: KIND_LABELS[kind] })),
]

/** The filters are stored in the URL, so that search results can be shared as a link. */
export function SearchFilterFields({ filter, onChangedFields }: SearchFilterFieldsProps) {
  const [speaker, setSpeaker] = useDebouncedUrlField(filter.speaker ?? '', (text) =>
    onChangedFields({ speaker: text || undefined }),
  )
  const { q: _words, ...fields } = filter
  return (
    <FilterRow filter={fields}>
      <NativeSelect
        label="Search in"
        value={filter.kind ?? ''}
        data={KIND_OPTIONS}
        onChange={(event) =>
          onChangedFields({ kind: parseSearchFilter({ kind: event.currentTarget.value }).kind })
        }
      />
      <ProjectFilterField
        project={filter.project}
        onChange={(project) => onChangedFields({ project })}
      />
      <TextInput
        label="Speaker"
        value={speaker}
        onChange={(event) => setSpeaker(event.currentTarget.value)}
      />
      <div className="filter-pair">
        <TextInput
          type="date"
          label="From"
          value={filter.from ?? ''}
          onChange={(event) => onChangedFields({ from: event.currentTarget.value || undefined })}
        />
        <TextInput
          type="date"
          label="To"
          value={filter.to ?? ''}
          onChange={(event) => onChangedFields({ to: event.currentTarget.value || undefined })}
        />
      </div>
    </FilterRow>
  )
}
