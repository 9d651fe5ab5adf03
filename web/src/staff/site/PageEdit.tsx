import { type InputOf, site, sitePages } from '@dubplate/contract'
import { Link } from '@tanstack/react-router'
import { callApi } from '../../platform/api.ts'
import { format } from '../../platform/message.ts'
import { apiQuery, queryClient } from '../../platform/queries.ts'
import { SiteText } from '../../site/SiteText.tsx'
import button from '../../ui/Button.module.css'
import { Button } from '../../ui/Button.tsx'
import { toast } from '../../ui/toast.ts'
import { Complaint } from '../forms/Complaint.tsx'
import { TextField } from '../forms/EntryFields.tsx'
import css from '../forms/Forms.module.css'
import { MarkdownField } from '../forms/MarkdownField.tsx'
import { Theirs } from '../forms/Theirs.tsx'
import { useEntry } from '../forms/useEntry.ts'
import { useMarkdown } from '../markdown.ts'
import { momentInWords } from '../moments.ts'
import { openPlaces, type PageEntry, pageEntryOf } from './pageEntry.ts'
import * as texts from './texts.ts'

type StaffPageText = sitePages.StaffPageText

/** Public paths of the pages. */
const ADDRESSES: Record<string, '/terms' | '/privacy' | '/contact' | '/career/listing'> = {
  terms: '/terms',
  privacy: '/privacy',
  contact: '/contact',
  careers: '/career/listing',
}

async function savePage(wish: InputOf<typeof sitePages.savePage>): Promise<StaffPageText> {
  const { page } = await callApi(sitePages.savePage, wish)
  queryClient.setQueryData(
    apiQuery(sitePages.getPages, {}).queryKey,
    (was: { pages: StaffPageText[] } | undefined) => ({
      pages: (was?.pages ?? []).map((each) => (each.slug === page.slug ? page : each)),
    }),
  )
  await queryClient.invalidateQueries({ queryKey: [site.getPage.path] })
  void toast({ message: format(texts.titlePublished, { title: page.title }) })
  return page
}

async function pageNow(slug: string): Promise<StaffPageText | undefined> {
  const { pages } = await queryClient.fetchQuery({ ...apiQuery(sitePages.getPages, {}), staleTime: 0 })
  return pages.find((page) => page.slug === slug)
}

/** Edits a page in Markdown, with its preview. */
export function PageEdit({ page }: { page: StaffPageText }) {
  const { slug } = page
  const entry = useEntry<PageEntry, StaffPageText>({
    draftName: `page.${slug}`,
    first: pageEntryOf(page),
    send: (typed) => savePage({ slug, ...typed }),
    onSaved: (saved, reset) => reset(pageEntryOf(saved)),
    meanwhile: { read: () => pageNow(slug), entryOf: pageEntryOf },
  })
  const { typed, isTouched, wrong, write, theirs } = entry
  /** The text differs from the published one. */
  const isNew = isTouched || page.version === 0
  return (
    <form ref={entry.form} noValidate className={css.form} data-wide aria-label={page.title} onSubmit={entry.submit}>
      <p className={css.hint}>{standingOf(page)}</p>
      <TextField
        label={texts.title}
        path="title"
        wrong={wrong.title}
        maxLength={120}
        value={typed.title}
        onChange={(title) => write({ title })}
      />
      <MarkdownField
        label={texts.text}
        value={typed.markdown}
        rows={20}
        wrong={wrong.markdown}
        onChange={(markdown) => write({ markdown })}
        onSend={() => void entry.save()}
      />
      <Gaps markdown={typed.markdown} />
      <Complaint of={entry.complaint} />
      {theirs && (
        <Theirs entry={entry}>
          <TheirText theirs={theirs} />
        </Theirs>
      )}
      <div className={css.actions}>
        <Button type="submit" variant={isNew ? 'primary' : 'plain'} busy={entry.isBusy} disabled={!isNew}>
          {texts.save}
        </Button>
        {isTouched && <Button onClick={() => entry.reset(pageEntryOf(page))}>{texts.discardChanges}</Button>}
        <Link to={ADDRESSES[slug] ?? '/'} className={button.button}>
          {texts.viewPage}
        </Link>
      </div>
    </form>
  )
}

function standingOf({ updated_at, updated_by }: StaffPageText): string {
  if (!updated_at) return texts.notPublishedYetThisIs
  const time = momentInWords(updated_at)
  return updated_by ? format(texts.lastUpdatedBy, { time, by: updated_by }) : format(texts.lastUpdated, { time })
}

/** Placeholders that the operator still has to fill in. */
function Gaps({ markdown }: { markdown: string }) {
  const [first, ...others] = openPlaces(markdown)
  if (!first) return null
  return (
    <p className={css.hint} data-warn>
      {others.length > 0
        ? format(texts.replaceThePlaceholderAndMore, { first, more: others.length })
        : format(texts.replaceThePlaceholder, { first })}
    </p>
  )
}

function TheirText({ theirs }: { theirs: StaffPageText }) {
  const { data } = useMarkdown(theirs.markdown)
  return (
    <>
      <p>
        {theirs.updated_by
          ? format(texts.changedThisPageWhileYou, { name: theirs.updated_by })
          : texts.someoneElseChangedThisPage}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: focusable, so that the keyboard can scroll it */}
      <section className={css.scroll} aria-label={texts.theirVersion} tabIndex={0}>
        <b>{theirs.title}</b>
        {data && <SiteText html={data.html} />}
      </section>
    </>
  )
}
