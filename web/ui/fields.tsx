import { useId, useMemo, type ReactNode, useState } from 'react'
import {
  type TextInputProps,
  TextInput,
  type TextareaProps,
  Textarea,
  type PasswordInputProps,
  PasswordInput,
  type NativeSelectProps,
  NativeSelect,
  Radio,
  Stack,
  type FileInputProps,
  FileInput,
} from '@mantine/core'
import { PASSWORD_HINT } from '../../src/http/shapes/values.ts'
import { useFieldError } from './forms.tsx'

interface FieldOptions {
  name: string
  isOptional?: boolean | undefined
  /** The first field of a dialog, which gets the focus when the dialog opens. */
  hasAutofocus?: boolean | undefined
}

/** What all fields of a form have in common. Each shows the error of the value with its name. */
function useFieldProps<Props extends FieldOptions>(props: Props) {
  const { isOptional = false, hasAutofocus = false, ...field } = props
  const error = useFieldError(field.name)
  const shared = { autoComplete: 'off', required: !isOptional, withAsterisk: false, error }
  return { ...shared, ...field, 'data-autofocus': hasAutofocus || undefined }
}

export function TextField(props: FieldOptions & TextInputProps) {
  return <TextInput {...useFieldProps(props)} />
}

export function TextAreaField(props: FieldOptions & TextareaProps) {
  return <Textarea {...useFieldProps(props)} />
}

/** The toggle is not named "Show password", so that only the field itself matches the label "Password". */
const VISIBILITY_TOGGLE = { 'aria-label': 'Show characters' }

export function SecretField(props: FieldOptions & PasswordInputProps) {
  return (
    <PasswordInput
      visibilityToggleFocusable
      visibilityToggleButtonProps={VISIBILITY_TOGGLE}
      {...useFieldProps(props)}
    />
  )
}

export function SelectField(props: { name: string; hasAutofocus?: boolean } & NativeSelectProps) {
  const { hasAutofocus, ...field } = props
  return <NativeSelect error={useFieldError(props.name)} {...field} data-autofocus={hasAutofocus} />
}

export function FileField(props: { name: string } & FileInputProps) {
  return <FileInput placeholder="Choose a file" error={useFieldError(props.name)} {...props} />
}

type Option<Value extends string = string> = { value: Value; label: string }

/** The options of a field, from a table of labels. */
export function toOptions<Value extends string>(
  labels: Readonly<Record<Value, string>>,
  values: readonly Value[] = Object.keys(labels) as Value[],
): Option<Value>[] {
  return values.map((value) => ({ value, label: labels[value] }))
}

/** The options of a field, from a table whose entries have a label. */
export function toOptionsByLabel(entries: Readonly<Record<string, { label: string }>>): Option[] {
  return Object.entries(entries).map(([value, { label }]) => ({ value, label }))
}

interface RadioFieldProps<Value extends string> {
  name: string
  label: string
  options: readonly Option<Value>[]
  defaultValue?: Value
  value?: Value
  onChange?: (value: Value) => void
}

export function RadioField<Value extends string>(props: RadioFieldProps<Value>) {
  const { options, ...group } = props
  return (
    <Radio.Group {...group}>
      <Stack mt="xs" gap="xs">
        {options.map((option) => (
          <Radio key={option.value} {...option} />
        ))}
      </Stack>
    </Radio.Group>
  )
}

interface AllOrSomeFieldProps {
  name: string
  label: string
  allLabel: string
  someLabel: string
  /** The choice of some, shown while not all are chosen. */
  children: ReactNode
}

/** Chooses all of something, or only some. The form's value is `all` or `some`. */
export function AllOrSomeField(props: AllOrSomeFieldProps) {
  const { name, label, allLabel, someLabel, children } = props
  const [choice, setChoice] = useState<string>('all')
  const options = toOptions({ all: allLabel, some: someLabel })
  return (
    <>
      <RadioField {...{ name, label, options }} value={choice} onChange={setChoice} />
      {choice === 'some' && children}
    </>
  )
}

interface FilterSelectProps {
  label: string
  value: string | undefined
  options: readonly Option[]
  /** The choice that sets no limit. */
  all?: string
  onChange: (value: string | undefined) => void
}

/** A filter of a list, with a choice that leaves it out. */
export function FilterSelect({ label, value, options, all = 'Any', onChange }: FilterSelectProps) {
  return (
    <NativeSelect
      label={label}
      value={value ?? ''}
      data={[{ value: '', label: all }, ...options]}
      onChange={(event) => onChange(event.currentTarget.value || undefined)}
    />
  )
}

interface PasswordFieldProps {
  name: string
  label: string
  autoComplete: 'current-password' | 'new-password'
  autoFocus?: boolean
}

export function PasswordField(field: PasswordFieldProps) {
  return (
    <SecretField
      {...field}
      description={field.autoComplete === 'new-password' ? PASSWORD_HINT : undefined}
      maxLength={1024}
    />
  )
}

/** A text field that suggests values. */
export function SuggestingField({
  suggestions,
  ...field
}: TextInputProps & { suggestions: readonly Option[] }) {
  const listId = useId()
  return (
    <>
      <TextInput {...field} list={listId} />
      <datalist id={listId}>
        {suggestions.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </datalist>
    </>
  )
}

/** A field for the IANA name of a time zone, which suggests the names that the browser knows. */
export function TimeZoneField(
  field: Omit<TextInputProps, 'onChange'> & { name: string; onChange: (zone: string) => void },
) {
  const error = useFieldError(field.name)
  const zones = useMemo(() => ['UTC', ...Intl.supportedValuesOf('timeZone')], [])
  return (
    <SuggestingField
      label="Time zone"
      required
      withAsterisk={false}
      autoComplete="off"
      spellCheck={false}
      error={error}
      suggestions={zones.map((value) => ({ value, label: '' }))}
      {...field}
      onChange={(event) => field.onChange(event.currentTarget.value)}
    />
  )
}
