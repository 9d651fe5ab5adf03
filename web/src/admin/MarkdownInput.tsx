import { sitePages } from '@dubplate/contract'
import { Box, SegmentedControl, SimpleGrid, Textarea } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { format, rich } from '../format/message.ts'
import { InlineError } from '../platform/InlineError.tsx'
import { apiQuery } from '../platform/queries.ts'
import { SiteText } from '../platform/SiteText.tsx'
import { useElementWidth } from '../ui/useElementWidth.ts'
import * as texts from './texts.ts'

type Props = {
  label: string
  rows: number
  value: string
  onChange: (markdown: string) => void
  error?: string | undefined
  description?: string | undefined
}

/** Narrower fields show either the text or its preview, in px. */
const NARROW = 640

/** A text in Markdown with its preview beside it; where there is too little space, one of them at a time. */
export function MarkdownInput({ label, rows, description, ...field }: Props) {
  const { ref, width } = useElementWidth()
  const [isPreviewOpen, setPreviewOpen] = useState(false)
  const isNarrow = width > 0 && width < NARROW
  const code = (inside: ReactNode) => <code>{inside}</code>
  return (
    <Box ref={ref}>
      {isNarrow && (
        <SegmentedControl
          mb="sm"
          aria-label={texts.view}
          data={[
            { value: 'text', label: texts.write },
            { value: 'preview', label: texts.preview },
          ]}
          value={isPreviewOpen ? 'preview' : 'text'}
          onChange={(view) => setPreviewOpen(view === 'preview')}
        />
      )}
      <SimpleGrid cols={isNarrow ? 1 : 2} spacing="lg">
        <Textarea
          {...field}
          label={label}
          rows={rows}
          hidden={isNarrow && isPreviewOpen}
          display={isNarrow && isPreviewOpen ? 'none' : undefined}
          description={
            description ?? rich(texts.markdownHeadingBoldListLink, { code, code2: code, code3: code, code4: code })
          }
          onChange={({ currentTarget }) => field.onChange(currentTarget.value)}
        />
        {(!isNarrow || isPreviewOpen) && <Preview label={label} markdown={field.value} />}
      </SimpleGrid>
    </Box>
  )
}

/** Time to wait after the last key, in ms. */
const PAUSE_MS = 500

/** The text as the server renders it; while it renders, as it was before. */
function Preview({ label, markdown }: { label: string; markdown: string }) {
  const [settled] = useDebouncedValue(markdown, PAUSE_MS)
  const { data, error, isFetching, refetch } = useQuery({
    ...apiQuery(sitePages.previewMarkdown, { markdown: settled }),
    staleTime: Number.POSITIVE_INFINITY,
    // Otherwise the cache would keep a copy for every pause in typing.
    gcTime: 0,
    placeholderData: keepPreviousData,
  })
  return (
    <Box
      component="section"
      aria-label={format(texts.previewLabel, { label })}
      aria-busy={isFetching || undefined}
      // The keyboard can scroll it.
      tabIndex={0}
      // Level with the field, below its label.
      mt={24}
      mih={120}
      mah={520}
      p="md"
      style={{ overflow: 'auto', border: '1px solid var(--line)', borderRadius: 'var(--r-md)' }}
    >
      {error && <InlineError error={error} subject={texts.thePreview} retry={() => void refetch()} />}
      {data && <SiteText html={data.html} />}
    </Box>
  )
}
