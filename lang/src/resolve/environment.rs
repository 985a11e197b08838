//! What the declarations of a text announce to each other.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::hir::{
    ConstantId, DatatypeId, FunctionId, GlobalId, ProcedureId, Type, TypeId, TypeVarId,
};
use crate::resolve::message::Place;

/// Names, ids and signatures of everything that is declared at top level.
///
/// It contains no bodies and no absolute places. Where a name is declared twice, the maps know the first declaration,
/// and the vectors all of them, so that ids count declarations.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Environment {
    /// Types by name.
    pub types: BTreeMap<Arc<str>, TypeName>,
    /// Type constructors, by [`TypeId`].
    pub constructors: Vec<ConstructorInfo>,
    /// Type synonyms.
    pub synonyms: Vec<Synonym>,
    /// Datatypes, by [`DatatypeId`].
    pub datatypes: Vec<DatatypeInfo>,
    /// Constants and globals by name.
    pub values: BTreeMap<Arc<str>, Value>,
    /// Constants, by [`ConstantId`].
    pub constants: Vec<ValueInfo>,
    /// Globals, by [`GlobalId`].
    pub globals: Vec<ValueInfo>,
    /// Functions, constructors of datatypes and what belongs to them by name.
    pub callables: BTreeMap<Arc<str>, Callable>,
    /// Functions, by [`FunctionId`].
    pub functions: Vec<FunctionInfo>,
    /// Procedures by name.
    pub procedure_names: BTreeMap<Arc<str>, ProcedureId>,
    /// Procedures, by [`ProcedureId`].
    pub procedures: Vec<ProcedureInfo>,
    /// Names of the type variables that are bound by declarations, by [`TypeVarId`]; those bound elsewhere come after.
    pub type_vars: Vec<Arc<str>>,
    /// For each declaration of the text the id of the first thing it declares (in the vector of its kind).
    pub first_ids: Vec<u32>,
    /// The declarations of functions that are constructors of datatypes in Boogie's old form.
    pub old_constructors: BTreeSet<u32>,
}

/// What a type name means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TypeName {
    /// An uninterpreted type constructor.
    Constructor(TypeId),
    /// Index into [`Environment::synonyms`].
    Synonym(usize),
    /// A datatype.
    Datatype(DatatypeId),
}

/// A type constructor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConstructorInfo {
    /// Its name.
    pub name: Arc<str>,
    /// Its number of arguments.
    pub arity: usize,
    /// Where its name is declared.
    pub place: Place,
}

/// A type synonym.
#[derive(Clone, Debug, PartialEq)]
pub struct Synonym {
    /// Its name.
    pub name: Arc<str>,
    /// Its parameters.
    pub params: Vec<TypeVarId>,
    /// What it stands for, expanded.
    pub body: Type,
    /// Where its name is declared.
    pub place: Place,
}

/// A datatype.
#[derive(Clone, Debug, PartialEq)]
pub struct DatatypeInfo {
    /// Its name.
    pub name: Arc<str>,
    /// Its type parameters.
    pub type_params: Vec<TypeVarId>,
    /// Its constructors.
    pub constructors: Vec<DatatypeConstructorInfo>,
    /// The fields of all constructors.
    pub fields: Vec<FieldInfo>,
    /// Where its name is declared.
    pub place: Place,
}

/// A constructor of a datatype.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DatatypeConstructorInfo {
    /// Its name.
    pub name: Arc<str>,
    /// Its fields in order: indices into [`DatatypeInfo::fields`].
    pub fields: Vec<usize>,
    /// Where its name is declared.
    pub place: Place,
}

/// A field of a datatype.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldInfo {
    /// Its name.
    pub name: Arc<str>,
    /// Its type, over the datatype's type parameters.
    pub ty: Type,
    /// Pairs of constructor index and position.
    pub positions: Vec<(usize, usize)>,
    /// Where its name is first declared.
    pub place: Place,
}

/// What a name of a value means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// A constant.
    Constant(ConstantId),
    /// A global variable.
    Global(GlobalId),
}

/// A constant or global.
#[derive(Clone, Debug, PartialEq)]
pub struct ValueInfo {
    /// Its name.
    pub name: Arc<str>,
    /// Its type.
    pub ty: Type,
    /// Where its name is declared.
    pub place: Place,
}

/// What a name in front of an argument list means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Callable {
    /// A function.
    Function(FunctionId),
    /// A constructor of a datatype, and its index there.
    Constructor(DatatypeId, usize),
    /// What reads a field of a datatype in Boogie's old form, `f#C`, and the field's index there.
    Field(DatatypeId, usize),
    /// What says in Boogie's old form whether a value was built by a constructor, `is#C`, and the constructor's index there.
    Is(DatatypeId, usize),
}

/// The signature of a function.
#[derive(Clone, Debug, PartialEq)]
pub struct FunctionInfo {
    /// Its name.
    pub name: Arc<str>,
    /// Its type parameters.
    pub type_params: Vec<TypeVarId>,
    /// The types of its parameters.
    pub params: Vec<Type>,
    /// The type of its value.
    pub result: Type,
    /// Where its name is declared.
    pub place: Place,
}

/// The signature of a procedure.
#[derive(Clone, Debug, PartialEq)]
pub struct ProcedureInfo {
    /// Its name.
    pub name: Arc<str>,
    /// Its type parameters.
    pub type_params: Vec<TypeVarId>,
    /// Its in-parameters.
    pub ins: Vec<ValueInfo>,
    /// Its out-parameters.
    pub outs: Vec<ValueInfo>,
    /// The globals it declares to modify, in ascending order.
    pub modifies: Vec<GlobalId>,
    /// Whether it has a `modifies` clause, even an empty one.
    pub has_modifies: bool,
    /// Whether it is `pure`.
    pub pure_: bool,
    /// Where its name is declared.
    pub place: Place,
}

impl Environment {
    /// The constant or global with this name.
    pub fn value(&self, name: &str) -> Option<(Value, &ValueInfo)> {
        let value = *self.values.get(name)?;
        let info = match value {
            Value::Constant(id) => self.constants.get(id.index())?,
            Value::Global(id) => self.globals.get(id.index())?,
        };
        Some((value, info))
    }

    /// The procedure with this name.
    pub fn procedure(&self, name: &str) -> Option<(ProcedureId, &ProcedureInfo)> {
        let id = *self.procedure_names.get(name)?;
        Some((id, self.procedures.get(id.index())?))
    }

    /// The first id of the things which the declaration with this number declares.
    pub fn first_id(&self, item: u32) -> usize {
        self.first_ids.get(item as usize).copied().unwrap_or(0) as usize
    }
}
