import { parentPort } from 'node:worker_threads'
import { renderMarkdownInline } from './markdown-render.ts'

/** A thread that renders texts one after the other; markdown.ts ends it if a text takes too long. */
parentPort?.on('message', (markdown: string) => {
  try {
    parentPort?.postMessage(renderMarkdownInline(markdown))
  } catch {
    parentPort?.postMessage(undefined)
  }
})
