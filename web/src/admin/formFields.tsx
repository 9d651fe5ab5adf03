import { TextInput } from '@mantine/core'
import type { ComponentProps } from 'react'
import { RichText } from '../ui/RichText.tsx'
import * as texts from './texts.ts'

/** Inputs that several forms of the back office have. They take the properties that `form.field()` returns. */

type TextProps = ComponentProps<typeof TextInput>

type CodeProps = Omit<TextProps, 'onChange'> & { onChange: (code: string) => void }

/** A code in capitals, such as that of a coupon. */
export const CodeInput = ({ onChange, ...input }: CodeProps) => (
  <TextInput
    autoCapitalize="characters"
    autoComplete="off"
    spellCheck={false}
    {...input}
    onChange={({ currentTarget }) => onChange(currentTarget.value.toUpperCase())}
  />
)

/** A three-letter currency code: EUR. */
export const CurrencyInput = (props: CodeProps) => <CodeInput label={texts.currency} maxLength={3} {...props} />

/** A local date and time; '' for none. */
export const DateTimeInput = (props: TextProps) => <TextInput type="datetime-local" {...props} />

type RichTextProps = Omit<ComponentProps<typeof RichText>, 'hint'> & { description?: string | undefined }

/** Text with bold, italic, lists, links and quotes, as HTML. */
export const RichTextInput = ({ description, ...field }: RichTextProps) => <RichText {...field} hint={description} />
