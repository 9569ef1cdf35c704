import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

interface Operation {
  responses: Record<string, { content?: Record<string, { schema: object }> }>;
}

/** Checks answers against the service's own OpenAPI document. */
export class OpenApiCheck {
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true });
  readonly #validators = new Map<string, ValidateFunction>();
  readonly #paths: { pattern: RegExp; operations: Record<string, Operation> }[];

  constructor(document: Record<string, unknown>) {
    addFormats.default(this.#ajv);
    this.#ajv.addSchema({ $id: 'openapi', components: document.components });
    const paths = Object.entries(document.paths as Record<string, Record<string, Operation>>);
    // OpenAPI 3.1: a path without parameters goes before one with.
    const isTemplated = (path: string) => Number(path.includes('{'));
    this.#paths = paths
      .sort(([a], [b]) => isTemplated(a) - isTemplated(b))
      .map(([path, operations]) => ({
        pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
        operations,
      }));
  }

  /** What is wrong with an answer; undefined when nothing is. Addresses that are not described give 404 alone. */
  problem(
    method: string,
    path: string,
    status: number,
    contentType: string,
    body: unknown,
  ): string | undefined {
    const operations = this.#paths.find(({ pattern }) => pattern.test(path))?.operations;
    const operation = operations?.[method.toLowerCase()];
    const where = `${method} ${path} → ${status}`;
    if (!operation) return status === 404 ? undefined : `${where}: not described`;
    const response = operation.responses[status];
    if (!response) return `${where}: this status is not described`;
    const type = contentType.split(';')[0] ?? '';
    const schema = (response.content?.[type] ?? response.content?.[type.replace(/\/.*/, '/*')])?.schema;
    if (!schema) return `${where}: the content type ${type} is not described`;
    if (!type.includes('json')) return undefined;
    const key = JSON.stringify(schema);
    let validate = this.#validators.get(key);
    if (!validate) {
      validate = this.#ajv.compile(JSON.parse(key.replaceAll('"#/', '"openapi#/')) as object);
      this.#validators.set(key, validate);
    }
    return validate(body) ? undefined : `${where}: ${this.#ajv.errorsText(validate.errors)}`;
  }
}
