import { type LoadFiles, bundleSpec } from './bundle.ts'
import { type SpecOutline, createOutline } from './outline.ts'
import { SpecError, type SpecFormat, detectVersion, findStructureProblems, parseFile } from './parse.ts'
import type { SpecProblem } from './problem.ts'
import { OpenApiSpec } from './spec.ts'
import { upgradeSpec } from './upgrade.ts'

export interface ProcessedSpec {
  /** Document in the form of OpenAPI 3.1 or 3.2 whose references all begin with `#`, as JSON. */
  document: string
  /** Format of the source. */
  format: SpecFormat
  outline: SpecOutline
  /** Problems that do not prevent the use of the document. */
  problems: SpecProblem[]
}

/** Maximum number of characters of the resulting document. */
const maxDocumentLength = 64 * 1024 ** 2

/** Parses, bundles and upgrades a specification. Throws a `SpecError` or a `SpecLoadError` if it cannot be used. */
export async function processSpec(
  text: string,
  { url, load, now }: { url?: string | undefined; load: LoadFiles; now: string },
): Promise<ProcessedSpec> {
  const file = parseFile(text)
  const version = detectVersion(file)
  const structureProblems = findStructureProblems(file, version)
  if (structureProblems.length > 0) throw new SpecError(structureProblems)
  const { document, problems } = await bundleSpec(file, version, { url, load })
  const upgraded = upgradeSpec(document, version)
  const json = JSON.stringify(upgraded)
  if (json.length > maxDocumentLength)
    throw new SpecError([
      { message: `The combined document has more than ${maxDocumentLength / 1024 ** 2} million characters` },
    ])
  return { document: json, outline: createOutline(new OpenApiSpec(upgraded), now), format: file.format, problems }
}
