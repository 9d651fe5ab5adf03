import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { ApiError } from './api-error.ts'
import { escapeHtml } from './html.ts'
import type { RenderedMarkdown } from './markdown-render.ts'
import { projectRoot } from './project-root.ts'

/** Some constructs take quadratic time: up to this length, at most some ten milliseconds. */
const SHORT_CHARACTERS = 4000
const TIME_LIMIT_MS = 5000
/** Limit for new texts, and for rendering existing ones; deeper ones are shown as plain text. */
const MAX_DEPTH = 10
const MAX_SHOWN_DEPTH = 30

/** Renders Markdown as sanitised HTML. If it cannot be rendered, the source text is shown. */
export async function htmlOfMarkdown(markdown: string): Promise<string> {
  const rendered = await tryRender(markdown)
  return rendered && rendered.depth <= MAX_SHOWN_DEPTH ? rendered.html : renderPlainHtml(markdown)
}

/** Throws `invalid_request` for a text that could not be rendered; `field` is the field it was entered in. */
export async function checkMarkdown(markdown: string, field: string): Promise<void> {
  const rendered = await tryRender(markdown)
  if (rendered && rendered.depth <= MAX_DEPTH) return
  const sentence = rendered
    ? `Quotes and lists can be nested up to ${MAX_DEPTH} levels deep; this text has ${rendered.depth}.`
    : `This text is too complex to display. Shorten or simplify it; quotes and lists can be nested up to ${MAX_DEPTH} levels deep.`
  throw new ApiError('invalid_request', sentence, { fields: { [field]: sentence } })
}

/** Returns undefined for a text that is nested too deeply for the stack, or takes too long. */
async function tryRender(markdown: string): Promise<RenderedMarkdown | undefined> {
  if (markdown.length > SHORT_CHARACTERS) return renderInWorker(markdown)
  try {
    const { renderMarkdownInline } = await import('./markdown-render.ts')
    return renderMarkdownInline(markdown)
  } catch {
    return undefined
  }
}

const renderPlainHtml = (text: string): string =>
  text
    .split(/\n{2,}/)
    .map((paragraph) => `<p>${escapeHtml(paragraph).replaceAll('\n', '<br />')}</p>`)
    .join('')

let workerThread: Worker | undefined
let last: Promise<unknown> = Promise.resolve()

/**
 * Renders texts one after the other on a separate thread: the time limit of each begins when the previous one is done.
 */
function renderInWorker(markdown: string): Promise<RenderedMarkdown | undefined> {
  const rendered = last.then(() => renderInThread(markdown))
  last = rendered
  return rendered
}

function renderInThread(markdown: string): Promise<RenderedMarkdown | undefined> {
  workerThread ??= startThread()
  const worker = workerThread
  return new Promise((resolve) => {
    const resolveRender = (rendered?: RenderedMarkdown) => {
      clearTimeout(timer)
      worker.removeAllListeners()
      resolve(rendered)
    }
    const abort = (reason?: unknown) => {
      if (reason instanceof Error) process.emitWarning(`The thread that renders Markdown failed: ${reason.message}`)
      workerThread = undefined
      resolveRender()
      worker.on('error', () => {})
      void worker.terminate()
    }
    const timer = setTimeout(() => abort(), TIME_LIMIT_MS)
    worker.once('message', resolveRender).once('error', abort).once('exit', abort)
    worker.postMessage(markdown)
  })
}

function startThread(): Worker {
  const worker = new Worker(path.join(projectRoot, 'server', 'dist', 'markdown-worker.js'))
  // It must not keep the process running.
  worker.unref()
  return worker
}
