//! `safe fn`: kernels that are launched without `unsafe`.

use super::check;
use super::input::{Param, Safe, number_within};
use super::passing::{Passing, written};
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{BinOp, Error, Expr, ExprBinary, ExprMethodCall, Lit, Result};

impl Safe {
    /// Returns constants that refuse types which may hold an address.
    pub(super) fn type_checks(&self, library: &TokenStream, kernel: &Ident, params: &[Param]) -> TokenStream {
        let mut checks = TokenStream::new();
        for (index, Param { name, kind, .. }) in params.iter().enumerate() {
            let Passing::Value(value) = Passing::of(kind) else { continue };
            let text = format!(
                "safe kernel `{kernel}`: parameter {} `{name}` may hold an address as `{}`; numbers, `&[..]`, `&mut [..]` and \
                 structures of numbers that derive `KernelArg` do not",
                index + 1,
                written(kind)
            );
            let function = quote!(#library::kernels::__private::without_address);
            checks.extend(check::assertion(
                &function,
                &value.to_token_stream(),
                kind,
                text.to_token_stream(),
            ));
        }
        checks
    }

    /// Returns documentation of the relations.
    pub(super) fn about(&self) -> String {
        let relations: Vec<_> =
            self.relations.iter().map(|relation| format!("`{}`", text(relation))).collect();
        match relations[..] {
            [] => String::new(),
            _ => format!("\nA launch is refused unless {}.", relations.join(" and ")),
        }
    }

    /// Returns an expression of the result of the relations. In it, the parameters are variables, and memory parameters are
    /// views.
    ///
    /// # Errors
    ///
    /// An expression that is not a relation.
    pub(super) fn checked(
        &self,
        library: &TokenStream,
        kernel: &Ident,
        params: &[Param],
    ) -> Result<TokenStream> {
        let kernel = kernel.unraw().to_string();
        let mut checked = quote!(#library::kernels::__private::Relations::of(#kernel));
        for relation in &self.relations {
            const FORM: &str = "expected a relation of two numbers, such as `n <= data.len()`";
            let Expr::Binary(ExprBinary { left, op, right, .. }) = ungrouped(relation) else {
                return Err(Error::new_spanned(relation, FORM));
            };
            let comparison = match op {
                BinOp::Le(_) => quote!(AtMost),
                BinOp::Lt(_) => quote!(Below),
                BinOp::Ge(_) => quote!(AtLeast),
                BinOp::Gt(_) => quote!(Above),
                BinOp::Eq(_) => quote!(Equal),
                _ => return Err(Error::new_spanned(op, FORM)),
            };
            let number = Number { library, params };
            let (left, right) = (number.of(left)?, number.of(right)?);
            let text = text(relation);
            // An inherent method that takes `self` by value: it takes precedence over the methods of
            // traits in the program.
            checked.extend(quote!(
                .and(#text, #left, #library::kernels::__private::Comparison::#comparison, #right)
            ));
        }
        Ok(checked)
    }
}

/// Returns an expression without the groups that declarative macros put around it.
fn ungrouped(mut expression: &Expr) -> &Expr {
    while let Expr::Group(group) = expression {
        expression = &group.expr;
    }
    expression
}

/// Returns a relation as the program writes it.
fn text(relation: &Expr) -> String {
    let mut text = relation.to_token_stream().to_string();
    for (from, to) in [(" . ", "."), (" ()", "()"), ("( ", "("), (" )", ")"), (" ::", "::"), (":: ", "::")] {
        text = text.replace(from, to);
    }
    text
}

/// Translates the integer expressions of a relation.
struct Number<'i> {
    library: &'i TokenStream,
    params: &'i [Param],
}

impl Number<'_> {
    /// Returns an expression that computes the number as a `Wide` of cuda-rt.
    fn of(&self, expression: &Expr) -> Result<TokenStream> {
        const FORMS: &str =
            "expected numbers, parameters, their fields, constants, `len()`, `+`, `-`, `*`, `/` and `%`";
        let private = {
            let library = self.library;
            quote!(#library::kernels::__private)
        };
        let place = expression.span();
        let leaf = |value: TokenStream| {
            // The compiler reports a value that is not an integer at the value.
            let function = quote_spanned!(place.resolved_at(Span::call_site())=> integer);
            quote!(#private::#function(#value))
        };
        match ungrouped(expression) {
            Expr::Lit(literal) => match &literal.lit {
                Lit::Int(number) => {
                    let mut wide = Literal::i128_suffixed(number_within(number, i128::MIN, i128::MAX)?);
                    wide.set_span(place);
                    Ok(leaf(quote!(#wide)))
                }
                other => Err(Error::new(other.span(), "expected an integer")),
            },
            Expr::Path(_) => Ok(leaf(expression.to_token_stream())),
            Expr::Field(field) if is_path(&field.base) => Ok(leaf(expression.to_token_stream())),
            Expr::MethodCall(call) => self.length(call).map(leaf),
            Expr::Paren(inner) => self.of(&inner.expr),
            Expr::Binary(ExprBinary { left, op, right, .. }) => {
                let function = match op {
                    BinOp::Add(_) => quote!(sum),
                    BinOp::Sub(_) => quote!(difference),
                    BinOp::Mul(_) => quote!(product),
                    BinOp::Div(_) => quote!(quotient),
                    BinOp::Rem(_) => quote!(remainder),
                    _ => return Err(Error::new_spanned(expression, FORMS)),
                };
                let (left, right) = (self.of(left)?, self.of(right)?);
                Ok(quote!(#private::#function(#left, #right)))
            }
            _ => Err(Error::new_spanned(expression, FORMS)),
        }
    }

    /// Returns an expression of the length of a memory parameter. The expression names the function, because a trait of the
    /// program may have a method of the same name.
    fn length(&self, call: &ExprMethodCall) -> Result<TokenStream> {
        let library = self.library;
        if let Expr::Path(receiver) = ungrouped(&call.receiver)
            && let Some(named) = receiver.path.get_ident()
            && let Some(param) = self.params.iter().find(|param| param.name.unraw() == named.unraw())
            && call.method == "len"
            && call.args.is_empty()
            && call.turbofish.is_none()
        {
            match Passing::of(&param.kind) {
                Passing::Read(_) => return Ok(quote!(#library::DeviceSlice::len(&#receiver))),
                Passing::Write(_) => return Ok(quote!(#library::DeviceSliceMut::len(&#receiver))),
                Passing::Value(_) => {}
            }
        }
        Err(Error::new(call.method.span(), "expected `len()` of a parameter of type `&[..]` or `&mut [..]`"))
    }
}

/// Returns whether an expression is a parameter or a constant, or a field of one.
fn is_path(expression: &Expr) -> bool {
    match ungrouped(expression) {
        Expr::Path(_) => true,
        Expr::Field(field) => is_path(&field.base),
        _ => false,
    }
}
