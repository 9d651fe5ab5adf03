import { DESCRIPTION_LENGTH, toParagraph } from '@dubplate/contract'
import { InputBase } from '@mantine/core'
import type { ComponentProps } from 'react'
import { format } from '../format/message.ts'
import * as texts from './texts.ts'

type Props = Pick<ComponentProps<typeof InputBase<'textarea'>>, 'onChange' | 'error' | 'description'> & {
  value: string
}

/** The description of a list, genre or playlist: plain text, with its number of characters. */
export const DescriptionInput = ({ value, description, ...field }: Props) => (
  <InputBase
    component="textarea"
    multiline
    rows={4}
    styles={{ input: { resize: 'vertical' } }}
    label={texts.description}
    description={
      description ?? format(texts.charactersOfLimit, { count: toParagraph(value).length, limit: DESCRIPTION_LENGTH })
    }
    inputWrapperOrder={['label', 'input', 'error', 'description']}
    value={value}
    {...field}
  />
)
