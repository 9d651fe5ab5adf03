import { site, sitePages } from '@dubplate/contract'
import { savePage } from '@dubplate/contract/schemas/site-pages'
import { Alert, Anchor, Text, TextInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { MarkdownInput } from '../../admin/MarkdownInput.tsx'
import { ResourceForm } from '../../admin/ResourceForm.tsx'
import { formatExactDate } from '../../format/format.ts'
import { format } from '../../format/message.ts'
import { callApi } from '../../platform/api.ts'
import { useResourceForm } from '../../platform/useResourceForm.ts'
import { findPlaceholders } from './placeholders.ts'
import * as texts from './texts.ts'

type StaffPageText = sitePages.StaffPageText

/** Where the pages are on the site. */
const URLS: Record<string, '/terms' | '/privacy' | '/contact' | '/career/listing'> = {
  terms: '/terms',
  privacy: '/privacy',
  contact: '/contact',
  careers: '/career/listing',
}

const valuesOf = ({ title, markdown, version }: StaffPageText) => ({ title, markdown, version })

async function loadCurrent(slug: string) {
  const { pages } = await callApi(sitePages.getPages, {})
  const page = pages.find((page) => page.slug === slug)
  return page && valuesOf(page)
}

/** A page of the site in Markdown, with its preview. */
export function PageForm({ page }: { page: StaffPageText }) {
  const { slug, version } = page
  const form = useResourceForm({
    call: savePage,
    draftName: `page.${slug}`,
    values: valuesOf(page),
    toInput: (values) => ({ slug, ...values }),
    loadCurrent: () => loadCurrent(slug),
    invalidates: [sitePages.getPages, site.getPage],
    success: ({ page }) => ({ message: format(texts.titlePublished, { title: page.title }) }),
    save: async (send, setValues) => {
      const { page } = await send()
      setValues(valuesOf(page))
    },
  })
  const [placeholder, ...others] = findPlaceholders(form.values.markdown)
  return (
    <ResourceForm form={form} label={page.title} canSaveUnchanged={version === 0}>
      <Text c="var(--text-2)">
        {describeState(page)}{' '}
        <Anchor component={Link} to={URLS[slug] ?? '/'} fz="inherit" underline="always">
          {texts.viewPage}
        </Anchor>
      </Text>
      <TextInput label={texts.title} maxLength={120} maw={560} autoComplete="off" {...form.field('title')} />
      <MarkdownInput label={texts.text} rows={20} {...form.field('markdown')} />
      {placeholder && (
        <Alert color="var(--warn)" role="note">
          {others.length > 0
            ? format(texts.replaceThePlaceholderAndMore, { first: placeholder, more: others.length })
            : format(texts.replaceThePlaceholder, { first: placeholder })}
        </Alert>
      )}
    </ResourceForm>
  )
}

function describeState({ updated_at, updated_by }: StaffPageText): string {
  if (!updated_at) return texts.notPublishedYetThisIs
  const time = formatExactDate(updated_at)
  return updated_by ? format(texts.lastUpdatedBy, { time, by: updated_by }) : format(texts.lastUpdated, { time })
}
